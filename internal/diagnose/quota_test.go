package diagnose_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/quota"
)

var rtx = quota.Need{
	Kind: quota.GPU, QuotaID: "NvidiaRtxPro6000GpuAllocNoZonalRedundancyPerProjectRegion", Label: "nvidia-rtx-pro-6000 GPU",
	PerTask: 1000, Unit: 1000, Grant: 3000,
}

func verdict(outcome quota.Outcome, parallelism, tasks, limit, largest int64) quota.Verdict {
	d := quota.Demand{Project: "acme", Region: "europe-west4", Parallelism: parallelism, TaskCount: tasks, Needs: []quota.Need{rtx}}
	return quota.Verdict{
		Outcome: outcome, Demand: d, Need: rtx, Requested: d.Requested(rtx), Largest: largest,
		Limit: quota.Limit{State: quota.Known, Value: limit},
	}
}

func TestQuotaSpeaksInWholeGPUs(t *testing.T) {
	t.Parallel()
	unreadable := verdict(quota.Unknown, 5, 5, 0, -1)
	unreadable.Err = errors.New("refused")
	ineligible := verdict(quota.Exceeds, 5, 5, 2000, 2)
	ineligible.Limit.Eligibility = quota.Eligibility{Known: true, Reason: "NOT_ENOUGH_USAGE_HISTORY"}

	for name, test := range map[string]struct {
		verdict  quota.Verdict
		lenient  bool
		severity diag.Severity
		summary  diagnose.Summary
		at       path.Path
		says     []string
	}{
		"over a quota": {
			verdict(quota.Exceeds, 5, 5, 2000, 2), false, diag.SeverityError, diagnose.GPUQuotaExceeded, path.Root("parallelism"),
			[]string{"needed 5, limit 2", "Set parallelism = 2", rtx.QuotaID, "europe-west4", `"acme"`},
		},
		"over a quota, lenient": {
			verdict(quota.Exceeds, 5, 5, 2000, 2), true, diag.SeverityWarning, diagnose.GPUQuotaExceeded, path.Root("parallelism"),
			[]string{"Set parallelism = 2"},
		},
		"not even one": {
			verdict(quota.Exceeds, 0, 1, 500, 0), false, diag.SeverityError, diagnose.GPUQuotaExceeded, path.Root("gpu"),
			[]string{"Not even one task fits", "limit 0.5"},
		},
		"not eligible": {
			ineligible, false, diag.SeverityError, diagnose.GPUQuotaExceeded, path.Root("parallelism"),
			[]string{"not eligible", "NOT_ENOUGH_USAGE_HISTORY"},
		},
		"no parallelism": {
			verdict(quota.MayExceed, 0, 20, 3000, 3), false, diag.SeverityWarning, diagnose.GPUQuotaMayBeExceeded, path.Root("parallelism"),
			[]string{"all 20 tasks", "Set parallelism = 3"},
		},
		"first use": {
			verdict(quota.GrantAssumed, 2, 2, 0, 3), false, diag.SeverityWarning, diagnose.GPUQuotaOnFirstUse, path.Root("gpu"),
			[]string{"grants a project 3 on its first deployment"},
		},
		"unreadable": {
			unreadable, false, diag.SeverityWarning, diagnose.QuotaNotChecked, path.Empty(),
			[]string{"gcloud services enable cloudquotas.googleapis.com --project=acme", "roles/cloudquotas.viewer"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := diagnose.Quota(test.verdict, test.lenient)
			if len(got) != 1 || got[0].Severity() != test.severity || got[0].Summary() != string(test.summary) {
				t.Fatalf("got %v", got)
			}
			at := path.Empty()
			if with, ok := got[0].(diag.DiagnosticWithPath); ok {
				at = with.Path()
			}
			if !at.Equal(test.at) {
				t.Errorf("points at %q, want %q", at, test.at)
			}
			for _, words := range test.says {
				if !strings.Contains(got[0].Detail(), words) {
					t.Errorf("does not say %q:\n%s", words, got[0].Detail())
				}
			}
		})
	}
}

func TestQuotaIsSilentWhereThereIsNothingToSay(t *testing.T) {
	t.Parallel()
	for name, v := range map[string]quota.Verdict{
		"fits":                      verdict(quota.Fits, 2, 2, 2000, 2),
		"no entry and no complaint": verdict(quota.Unknown, 2, 2, 0, -1),
	} {
		if got := diagnose.Quota(v, false); len(got) != 0 {
			t.Errorf("%s: %v", name, got)
		}
	}
}
