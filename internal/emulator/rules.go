package emulator

import (
	"slices"
	"time"
)

const gib = int64(1) << 30

// RuleTable is every number that the emulator checks jobs and quotas against, so that a test can compare it with numbers kept elsewhere.
type RuleTable struct {
	// Sizes are the CPU sizes of a container without a GPU, smallest first.
	Sizes []Size
	// MaxTimeout is the longest task without a GPU.
	MaxTimeout time.Duration
	// GPUs are the GPU types, by name.
	GPUs []GPU
	// Quotas are all quotas that the emulator answers for.
	Quotas []Quota
	// FirstUseGrant is the number of GPUs that the first deployment in a region gets where no quota is set.
	FirstUseGrant int64
}

// Size is one CPU size and the memory that goes with it, both ends included.
type Size struct {
	CPU       int64 // whole vCPU
	MinMemory int64 // bytes
	MaxMemory int64 // bytes
}

// GPU is one GPU type.
type GPU struct {
	Type  string
	Count int64  // GPUs per task: this many and no other number
	Sizes []Size // CPU sizes of the container with the GPU, smallest first; the first is the default
	// MaxTimeout is the longest task at launch stage GA, MaxTimeoutBeta at BETA.
	MaxTimeout, MaxTimeoutBeta time.Duration
	Regions                    []string // sorted
	Quota                      Quota
}

// Quota is one quota per project and region.
type Quota struct {
	ID          string
	Metric      string
	DisplayName string
	// Units is how many of the quota's own units make one GPU, vCPU or GiB.
	Units int64
	// Default is the limit of a new project, in GPUs, vCPU or GiB.
	Default int64

	key     string   // in the knobs' KEY; empty where there is no knob
	regions []string // where Cloud Quotas has an entry
	gpu     bool
}

// Rules returns a copy of the emulator's rule table.
func Rules() RuleTable {
	table := RuleTable{
		Sizes: slices.Clone(plainSizes), MaxTimeout: maxTimeout, FirstUseGrant: firstUseGrant, Quotas: slices.Clone(quotas),
	}
	for _, gpu := range gpus {
		gpu.Sizes, gpu.Regions = slices.Clone(gpu.Sizes), slices.Clone(gpu.Regions)
		table.GPUs = append(table.GPUs, gpu)
	}
	return table
}

const (
	typeL4  = "nvidia-l4"
	typeRTX = "nvidia-rtx-pro-6000"

	maxTimeout    = 168 * time.Hour
	firstUseGrant = 3
)

// Google's documentation of CPU and memory limits, 2026.
var plainSizes = []Size{
	{CPU: 1, MinMemory: gib / 2, MaxMemory: 4 * gib},
	{CPU: 2, MinMemory: gib / 2, MaxMemory: 8 * gib},
	{CPU: 4, MinMemory: 2 * gib, MaxMemory: 16 * gib},
	{CPU: 6, MinMemory: 4 * gib, MaxMemory: 24 * gib},
	{CPU: 8, MinMemory: 4 * gib, MaxMemory: 32 * gib},
}

// Google's page on GPUs for jobs, 2026, and answers of the live service.
var gpus = []GPU{
	{
		Type: typeL4, Count: 1,
		Sizes: []Size{
			{CPU: 4, MinMemory: 16 * gib, MaxMemory: 16 * gib},
			{CPU: 6, MinMemory: 16 * gib, MaxMemory: 24 * gib},
			{CPU: 8, MinMemory: 16 * gib, MaxMemory: 32 * gib},
		},
		MaxTimeout: time.Hour, MaxTimeoutBeta: 12 * time.Hour,
		Regions: regionsL4,
		Quota:   quotaOf(typeL4),
	},
	{
		Type: typeRTX, Count: 1,
		Sizes: []Size{
			{CPU: 20, MinMemory: 80 * gib, MaxMemory: 80 * gib},
			{CPU: 22, MinMemory: 80 * gib, MaxMemory: 88 * gib},
			{CPU: 24, MinMemory: 80 * gib, MaxMemory: 96 * gib},
			{CPU: 26, MinMemory: 80 * gib, MaxMemory: 104 * gib},
			{CPU: 28, MinMemory: 80 * gib, MaxMemory: 112 * gib},
			{CPU: 30, MinMemory: 80 * gib, MaxMemory: 120 * gib},
		},
		MaxTimeout: time.Hour, MaxTimeoutBeta: 12 * time.Hour,
		Regions: regionsRTX,
		Quota:   quotaOf(typeRTX),
	},
}

// findGPU returns the GPU type of that name.
func findGPU(name string) (GPU, bool) {
	for _, gpu := range gpus {
		if gpu.Type == name {
			return gpu, true
		}
	}
	return GPU{}, false
}

// findSize returns the size with that many milli-vCPU.
func findSize(sizes []Size, milliCPU int64) (Size, bool) {
	for _, size := range sizes {
		if size.CPU*1000 == milliCPU {
			return size, true
		}
	}
	return Size{}, false
}
