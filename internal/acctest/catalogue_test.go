package acctest

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"google.golang.org/grpc/codes"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

// catalogueCase is a configuration with values of the user's for the catalogue of GPUs.
type catalogueCase struct {
	file     string // gpus.yaml
	provider string // the provider block's body; "" is no block
	env      string // CLOUDRUNGPU_GPU_CATALOGUE
	job      string // attributes of the job
	fault    codes.Code
	// validateErrors and planErrors are how many there are; a plan is made only where there is none of the first.
	validateErrors, planErrors, planWarnings int
	at                                       string
	says                                     []string
	calls                                    int // for quotas, where it matters
}

const (
	fromFile    = `gpu_catalogue = "${abspath(path.root)}/gpus.yaml"`
	b200        = "types: {nvidia-b200: {sizes: [{cpu: 20, min_memory: 80Gi, max_memory: 80Gi}], regions: {us-central1: {}}}}"
	withoutL4   = "types: {nvidia-l4: null}"
	l4InWest    = "types: {nvidia-l4: {regions: {us-west1: {}}, longest_task: {GA: 2h}}}"
	typeB200    = `gpu = { type = "nvidia-b200" }`
	typeL4      = `gpu = { type = "nvidia-l4" }`
	newTypeSays = "Nothing is known of the GPU type"
	asText      = `gpu_catalogue = yamlencode({ types = { nvidia-b200 = {
  sizes = [{ cpu = 20, min_memory = "80Gi", max_memory = "80Gi" }], regions = { us-central1 = {} }
} } })`
)

func TestGPUCatalogue(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]catalogueCase{
		"without it a new type is refused": {job: typeB200, validateErrors: 1, at: "gpu.type", says: []string{`no GPU type "nvidia-b200"`}},
		// The emulator has no quota of the new type, and says so once.
		"a new type": {file: b200, provider: fromFile, job: typeB200, planWarnings: 1, says: []string{"GPU quota could not be checked"}},
		"a new type, checked as any other": {
			file: b200, provider: fromFile, job: typeB200 + "\nlocation = \"europe-west1\"\ntask_timeout = \"7200s\"", validateErrors: 2,
			says: []string{"GPU not available in this region", "us-central1", "3600s"},
		},
		"a new type as text":                {provider: asText, job: typeB200, planWarnings: 1},
		"a new type from the environment":   {env: "\n" + b200, job: typeB200, planWarnings: 1},
		"the block wins over the variable":  {file: b200, provider: fromFile, env: "\ntypos: {}", job: typeB200, planWarnings: 1},
		"without it no L4 in us-west1":      {job: typeL4 + "\nlocation = \"us-west1\"", validateErrors: 1, at: "location"},
		"values of a type that is built in": {file: l4InWest, provider: fromFile, job: typeL4 + "\nlocation = \"us-west1\"\ntask_timeout = \"7200s\""},
		"a value that comes with apply is waited for": {
			file: b200, provider: "gpu_catalogue = terraform_data.file.output", job: typeB200 + "\ntask_timeout = \"30000s\"\nlocation = \"us-west9\"",
		},
		"a type that Cloud Quotas counts": {
			file: withoutL4, provider: fromFile, job: typeL4, planWarnings: 1, at: "gpu.type", calls: 1, says: []string{newTypeSays, "NvidiaL4Gpu", "gpu_catalogue"},
		},
		"a type that nobody knows": {
			file: withoutL4, provider: fromFile, job: `gpu = { type = "nvidia-b300" }`, planErrors: 1, at: "gpu.type", calls: 1, says: []string{`no GPU type "nvidia-b300"`},
		},
		"a type that nobody can be asked about": {
			file: withoutL4, provider: fromFile, job: typeL4, fault: codes.PermissionDenied, planWarnings: 1, at: "gpu.type", calls: 1,
			says: []string{"could not be checked", "roles/cloudquotas.viewer", "gpu_catalogue"},
		},
		"a type that nobody may be asked about": {
			file: withoutL4, provider: fromFile + "\nquota_check = \"off\"", job: typeL4, planErrors: 1, at: "gpu.type", says: []string{"no GPU type"},
		},
		"no such file":    {provider: `gpu_catalogue = "nowhere.yaml"`, job: typeL4, validateErrors: 1, at: "gpu_catalogue", says: []string{"nowhere.yaml", "no such file", "sizes"}},
		"a directory":     {provider: `gpu_catalogue = abspath(path.root)`, job: typeL4, validateErrors: 1, at: "gpu_catalogue", says: []string{"is no file"}},
		"a wrong key":     {file: "types:\n  nvidia-l4:\n    longest: 3h\n", provider: fromFile, job: typeL4, validateErrors: 1, at: "gpu_catalogue", says: []string{"line 3: field longest not found"}},
		"half a type":     {file: "types: {nvidia-b200: {memory_gb: 192}}", provider: fromFile, job: typeL4, validateErrors: 1, at: "gpu_catalogue", says: []string{"types.nvidia-b200: sizes is missing"}},
		"not YAML at all": {file: "\x00\x01", provider: fromFile, job: typeL4, validateErrors: 1, at: "gpu_catalogue"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test.run(t)
		})
	}
}

func (c catalogueCase) run(t *testing.T) {
	t.Helper()
	stage := Start(t, emulator.WithQuota("cpu@*", emulator.Unlimited), emulator.WithQuota("memory@*", emulator.Unlimited), emulator.WithQuota("nvidia-l4@us-west1", 3))
	stage.EmulatorOnly()
	stage.Setenv("CLOUDRUNGPU_GPU_CATALOGUE", c.env)
	if c.fault != codes.OK {
		if err := stage.Emulator.InjectFault(emulator.Fault{Method: "CloudQuotas.GetQuotaInfo", Code: c.fault, Times: emulator.Always}); err != nil {
			t.Fatal(err)
		}
	}
	main := requirement + "resource \"terraform_data\" \"file\" {\n  input = \"gpus.yaml\"\n}\n"
	if c.provider != "" {
		main += "provider \"cloudrungpu\" {\n" + c.provider + "\n}\n"
	}
	main += "resource \"cloudrungpu_job\" \"case\" {\n  name       = \"case\"\n  containers = [{ image = \"us-docker.pkg.dev/cloudrun/container/job:latest\" }]\n" + c.job + "\n}\n"
	cli := stage.CLI(map[string]string{"main.tf": main, "gpus.yaml": c.file})
	v := validated(t, cli)
	if v.errors != c.validateErrors || v.warnings != 0 {
		t.Errorf("validate: %d errors and %d warnings, want %d and none\n%s", v.errors, v.warnings, c.validateErrors, v.printed)
	}
	if calls := stage.Emulator.Requests(); len(calls) > 0 {
		t.Errorf("validate made calls: %v", calls)
	}
	if c.validateErrors == 0 {
		v = said(t, cli, "plan", "-json")
		if v.errors != c.planErrors || v.warnings != c.planWarnings {
			t.Errorf("plan: %d errors and %d warnings, want %d and %d\n%s", v.errors, v.warnings, c.planErrors, c.planWarnings, v.printed)
		}
		asked := 0
		for _, request := range stage.Emulator.Requests() {
			if request.Method == "CloudQuotas.GetQuotaInfo" {
				asked++
			}
		}
		if c.calls > 0 && asked != c.calls {
			t.Errorf("%d questions for quotas, want %d", asked, c.calls)
		}
	}
	for _, want := range c.says {
		if !strings.Contains(v.printed, want) {
			t.Errorf("%q is not said in\n%s", want, v.printed)
		}
	}
	if c.at != "" && !slices.ContainsFunc(v.diags, func(d *tfprotov6.Diagnostic) bool { return pointsAt(d, c.at) }) {
		t.Errorf("nothing points at %s", c.at)
	}
}
