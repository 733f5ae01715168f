package emulator

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

const (
	// Unlimited is the value of a quota without a limit.
	Unlimited int64 = -1
	// NoEntry is the value of a quota that Cloud Quotas does not list for the region at all.
	NoEntry int64 = math.MinInt64

	everyRegion = "*"
	// maxQuota keeps every limit countable in bytes.
	maxQuota = 1_000_000_000
)

// quotaSetting is one knob, read: nvidia-l4@us-central1 = 3.
type quotaSetting struct {
	key    string
	region string
	value  int64 // GPUs, vCPU or GiB, Unlimited or NoEntry
}

func parseQuota(key string, value int64) (quotaSetting, error) {
	resource, region, found := strings.Cut(key, "@")
	if !found || region == "" || quotaOf(resource).ID == "" || resource == "" {
		return quotaSetting{}, fmt.Errorf("quota %q is not known: write %s, then @, then a region or %s",
			key, strings.Join(quotaKeys(), ", "), everyRegion)
	}
	if value > maxQuota || value < 0 && value != Unlimited && value != NoEntry {
		return quotaSetting{}, fmt.Errorf("quota %s must be between 0 and %d, or %d for no limit, or none for no entry, got %d",
			key, maxQuota, Unlimited, value)
	}
	return quotaSetting{key: resource, region: region, value: value}, nil
}

func quotaKeys() []string {
	var keys []string
	for _, quota := range quotas {
		if quota.key != "" {
			keys = append(keys, quota.key)
		}
	}
	slices.Sort(keys)
	return keys
}

// quotaTable holds the limits of every project: the emulator does not tell projects apart here.
type quotaTable struct {
	everywhere map[string]int64            // by key
	regional   map[string]map[string]int64 // by key, then region
}

// newQuotaTable is a new project's table with settings on top.
func newQuotaTable(settings []quotaSetting) *quotaTable {
	table := &quotaTable{everywhere: map[string]int64{}, regional: map[string]map[string]int64{}}
	for _, quota := range quotas {
		if quota.key != "" {
			table.set(quotaSetting{key: quota.key, region: everyRegion, value: quota.Default})
		}
	}
	for _, setting := range settings {
		table.set(setting)
	}
	return table
}

func (t *quotaTable) set(setting quotaSetting) {
	if setting.region == everyRegion {
		t.everywhere[setting.key] = setting.value
		t.regional[setting.key] = map[string]int64{}
		return
	}
	t.regional[setting.key][setting.region] = setting.value
}

// limit is the limit in GPUs, vCPU or GiB: Unlimited, or NoEntry where there is none.
func (t *quotaTable) limit(quota Quota, region string) int64 {
	if value, set := t.regional[quota.key][region]; set {
		return value
	}
	if quota.gpu && !slices.Contains(quota.regions, region) {
		return NoEntry
	}
	return t.everywhere[quota.key]
}

// entries are the regions with an entry, sorted.
func (t *quotaTable) entries(quota Quota) []string {
	candidates := slices.Concat(quota.regions, slices.Collect(maps.Keys(t.regional[quota.key])))
	slices.Sort(candidates)
	candidates = slices.Compact(candidates)
	return slices.DeleteFunc(candidates, func(region string) bool { return t.limit(quota, region) == NoEntry })
}

// wire turns a limit into the quota's own units.
func (q Quota) wire(limit int64) int64 {
	if limit == Unlimited {
		return Unlimited
	}
	return limit * q.Units
}
