package job_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/acctest"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

const (
	grantedLater = "warning: GPU quota is granted on first use"
	mayExceed    = "warning: GPU quota may be exceeded"
	exceeded     = "error: GPU quota exceeded"
	tooLow       = "warning: CPU or memory quota may be exceeded"
)

// quotaCase is a job, the limits of its region, and all that a plan says of the two.
type quotaCase struct {
	limits map[string]int64 // of us-central1; what is missing is unlimited
	job    string
	check  string   // quota_check; "" is the default
	says   []string // severity and summary of each diagnostic, in any order
	words  string   // of one of them
}

var quotaCases = map[string]quotaCase{
	"exactly the limit":               {limits: map[string]int64{"nvidia-l4": 4}, job: gpus(4)},
	"one too many":                    {limits: map[string]int64{"nvidia-l4": 3}, job: gpus(4), says: []string{exceeded}, words: "Set parallelism = 3, the largest that fits"},
	"one too many, as a warning":      {limits: map[string]int64{"nvidia-l4": 3}, job: gpus(4), check: "warning", says: []string{"warning: GPU quota exceeded"}, words: "Set parallelism = 3"},
	"one too many, unasked":           {limits: map[string]int64{"nvidia-l4": 3}, job: gpus(4), check: "off"},
	"no limit":                        {limits: map[string]int64{"nvidia-l4": emulator.Unlimited}, job: gpus(20)},
	"all tasks at once":               {limits: map[string]int64{"nvidia-l4": 3}, job: "gpu = { type = \"nvidia-l4\" }\n task_count = 20", says: []string{mayExceed}, words: "Set parallelism = 3"},
	"all tasks at once, which fit":    {limits: map[string]int64{"nvidia-l4": 3}, job: "gpu = { type = \"nvidia-l4\" }\n task_count = 3"},
	"none yet":                        {limits: map[string]int64{"nvidia-l4": 0}, job: gpus(3), says: []string{grantedLater}, words: "g.co/cloudrun/gpu-quota"},
	"none yet, and more than granted": {limits: map[string]int64{"nvidia-l4": 0}, job: gpus(4), says: []string{exceeded}, words: "Set parallelism = 3"},
	"not listed":                      {limits: map[string]int64{"nvidia-l4": emulator.NoEntry}, job: gpus(3), says: []string{grantedLater}},
	"not listed, more than granted":   {limits: map[string]int64{"nvidia-l4": emulator.NoEntry}, job: gpus(4), says: []string{exceeded}, words: "is not set"},
	"CPU not listed":                  {limits: map[string]int64{"cpu": emulator.NoEntry, "memory": emulator.NoEntry}, job: gpus(4)},
	"counted in thousandths": {
		limits: map[string]int64{"nvidia-rtx-pro-6000": 3}, job: "gpu = { type = \"nvidia-rtx-pro-6000\" }\n task_count = 9\n parallelism = 4",
		says: []string{exceeded}, words: "needed 4, limit 3",
	},
	"too little CPU":    {limits: map[string]int64{"cpu": 20}, job: gpus(6), says: []string{tooLow}, words: "Set parallelism = 5"},
	"too little memory": {limits: map[string]int64{"memory": 40}, job: gpus(3), says: []string{tooLow}, words: "Set parallelism = 2"},
	"of CPU and memory the tighter one cures both": {
		limits: map[string]int64{"cpu": 8, "memory": 48}, job: gpus(6), says: []string{tooLow}, words: "CpuAllocPerProjectRegion",
	},
	"of memory and CPU as well": {
		limits: map[string]int64{"cpu": 20, "memory": 40}, job: gpus(6), says: []string{tooLow}, words: "MemAllocPerProjectRegion",
	},
	"the cure of the GPU cures the CPU": {
		limits: map[string]int64{"nvidia-l4": 3, "cpu": 20}, job: gpus(6), says: []string{exceeded}, words: "Set parallelism = 3",
	},
	"the cure of the GPU does not cure the memory": {
		limits: map[string]int64{"nvidia-l4": 3, "memory": 40}, job: gpus(6), says: []string{exceeded, tooLow}, words: "Set parallelism = 2",
	},
	"not one task": {
		limits: map[string]int64{"memory": 40}, job: `gpu = { type = "nvidia-rtx-pro-6000" }`, says: []string{tooLow}, words: "Not even one task fits",
	},
}

func TestAccQuotaVerdicts(t *testing.T) {
	t.Parallel()
	for name, test := range quotaCases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			options := slices.Clone(plenty)
			for quota, limit := range test.limits {
				options = append(options, emulator.WithQuota(quota+"@us-central1", limit))
			}
			stage := acctest.Start(t, options...)
			stage.EmulatorOnly()
			provider := ""
			if test.check != "" {
				provider = fmt.Sprintf("provider \"cloudrungpu\" { quota_check = %q }\n", test.check)
			}
			cli := stage.CLI(map[string]string{"main.tf": required + provider + aJob(test.job)})
			printed, _ := cli.Run("plan", "-json")
			said, details := diagnostics(t, printed)
			slices.Sort(said)
			if want := slices.Sorted(slices.Values(test.says)); !slices.Equal(said, want) || !strings.Contains(details, test.words) {
				t.Errorf("it says %q, want %q and %q in:\n%s", said, want, test.words, details)
			}
			if asked := stage.Calls("CloudQuotas.*") > 0; asked != (test.check != "off") {
				t.Errorf("quotas were asked for: %t", asked)
			}
		})
	}
}

// diagnostics are those that Terraform prints as JSON: severity and summary of each, and all their details.
func diagnostics(t *testing.T, printed string) (said []string, details string) {
	t.Helper()
	for line := range strings.Lines(printed) {
		var event struct {
			Diagnostic struct{ Severity, Summary, Detail string }
		}
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		if d := event.Diagnostic; d.Summary != "" {
			said = append(said, d.Severity+": "+d.Summary)
			details += d.Detail + "\n"
		}
	}
	return said, details
}
