package acctest

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"google.golang.org/grpc/codes"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

// aJob is all that most of the tests need: a job with a GPU, for which a plan asks for quotas.
const aJob = `
resource "cloudrungpu_job" "case" {
  name       = "case"
  gpu        = { type = "nvidia-l4" }
  containers = [{ image = "us-docker.pkg.dev/cloudrun/container/job:latest" }]
}
`

var (
	plan  = []string{"plan", "-json"}
	apply = []string{"apply", "-json", "-auto-approve"}
)

// setupFault is something wrong outside of the configuration of a job.
type setupFault struct {
	provider string // the provider block; "" is none
	env      map[string]string
	faults   []emulator.Fault
	command  []string
	// errors and warnings is how many there must be, all of them with these summaries and words.
	errors, warnings int
	at               string
	says             []string
	never            []string
}

func TestFaultsOfTheSetup(t *testing.T) {
	closed := closedPort(t)
	disabled := disabledAPI(t)
	const secret = "sesame-PRIVATE"
	for name, test := range map[string]setupFault{
		"no project": {
			env: map[string]string{"GOOGLE_PROJECT": ""}, command: plan, errors: 1, at: "project",
			says: []string{"Missing project", "provider block", "GOOGLE_PROJECT"},
		},
		"no region": {
			env: map[string]string{"GOOGLE_REGION": ""}, command: plan, errors: 1, at: "location",
			says: []string{"Missing location", "provider block", "GOOGLE_REGION"},
		},
		"credentials that are nothing": {
			provider: `credentials = "` + secret + `"`, env: map[string]string{"CLOUDRUNGPU_EMULATOR_HOST": ""},
			command: plan, errors: 1, at: "credentials",
			says:  []string{"Invalid provider configuration", "not shown here", "gcloud auth application-default login"},
			never: []string{secret},
		},
		"credentials of the environment that are nothing": {
			env:     map[string]string{"CLOUDRUNGPU_EMULATOR_HOST": "", "GOOGLE_CREDENTIALS": "/" + secret},
			command: plan, errors: 1, at: "credentials",
			says: []string{"GOOGLE_CREDENTIALS", "no file of that name"}, never: []string{secret},
		},
		"a broken key, at plan": {
			env:     map[string]string{"CLOUDRUNGPU_EMULATOR_HOST": "", "GOOGLE_CREDENTIALS": `{"type": "service_account", "private_key": "` + secret + `"}`},
			command: plan, warnings: 1,
			says: []string{"GPU quota could not be checked", "GOOGLE_CREDENTIALS cannot be read"}, never: []string{secret},
		},
		"a broken key, at apply": {
			provider: `quota_check = "off"`,
			env:      map[string]string{"CLOUDRUNGPU_EMULATOR_HOST": "", "GOOGLE_CREDENTIALS": `{"type": "service_account", "private_key": "` + secret + `"}`},
			command:  apply, errors: 1,
			says: []string{"Credentials could not be used", "GOOGLE_CREDENTIALS cannot be read"}, never: []string{secret},
		},
		"no emulator at that address": {
			provider: `quota_check = "off"`, env: map[string]string{"CLOUDRUNGPU_EMULATOR_HOST": closed},
			command: apply, errors: 1,
			says: []string{"Job could not be created", "is cloudrun-emulator running"},
		},
		"no emulator to ask for quotas": {
			env: map[string]string{"CLOUDRUNGPU_EMULATOR_HOST": closed}, command: plan, warnings: 1,
			says: []string{"GPU quota could not be checked", "the plan goes on"},
		},
		"an emulator elsewhere": {
			env: map[string]string{"CLOUDRUNGPU_EMULATOR_HOST": "10.0.0.1:8123"}, command: plan, errors: 1,
			says: []string{"Invalid provider configuration", "10.0.0.1:8123", "CLOUDRUNGPU_EMULATOR_ALLOW_REMOTE=1"},
		},
		"the API is not enabled": {
			provider: "quota_check = \"off\"\ntransport = \"rest\"\nendpoints = { run = \"" + disabled + "\" }",
			env:      map[string]string{"CLOUDRUNGPU_EMULATOR_HOST": ""},
			command:  apply, errors: 1,
			says: []string{"Job could not be created", "SERVICE_DISABLED", "gcloud services enable run.googleapis.com --project=acme-ml"},
		},
		"the caller may not create jobs": {
			faults:  []emulator.Fault{{Method: "Jobs.CreateJob", Code: codes.PermissionDenied, Times: emulator.Always}},
			command: apply, errors: 1,
			says: []string{"Job could not be created", "roles/run.developer", "roles/iam.serviceAccountUser"},
		},
		"the caller may not act as the service account": {
			faults: []emulator.Fault{{
				Method: "Jobs.CreateJob", Code: codes.PermissionDenied, Times: emulator.Always,
				Message: "Permission 'iam.serviceaccounts.actAs' denied on service account trainer@acme-ml.iam.gserviceaccount.com (or it may not exist).",
			}},
			command: apply, errors: 1,
			says: []string{"Job could not be created", "roles/iam.serviceAccountUser", "trainer@acme-ml.iam.gserviceaccount.com", "gcloud iam service-accounts"},
		},
		"the API is not enabled, said at a create": {
			faults: []emulator.Fault{{
				Method: "Jobs.CreateJob", Code: codes.PermissionDenied, Times: emulator.Always, Reason: "SERVICE_DISABLED",
				Metadata: map[string]string{"service": "run.googleapis.com", "consumer": "projects/123"},
			}},
			command: apply, errors: 1,
			says: []string{"Job could not be created", "gcloud services enable run.googleapis.com --project=123"},
		},
		"Cloud Quotas is not enabled": {
			faults: []emulator.Fault{{
				Method: "CloudQuotas.GetQuotaInfo", Code: codes.PermissionDenied, Times: emulator.Always, Reason: "SERVICE_DISABLED",
				Metadata: map[string]string{"service": "cloudquotas.googleapis.com", "consumer": "projects/123"},
			}},
			command: plan, warnings: 1,
			says: []string{"GPU quota could not be checked", "gcloud services enable cloudquotas.googleapis.com --project=123"},
		},
		"the caller may not read quotas": {
			faults:  []emulator.Fault{{Method: "CloudQuotas.GetQuotaInfo", Code: codes.PermissionDenied, Times: emulator.Always}},
			command: plan, warnings: 1,
			says: []string{"GPU quota could not be checked", "roles/cloudquotas.viewer", `quota_check = "off"`},
		},
		"the quota service is down": {
			faults:  []emulator.Fault{{Method: "CloudQuotas.GetQuotaInfo", Code: codes.Unavailable, Times: emulator.Always}},
			command: plan, warnings: 1,
			says: []string{"GPU quota could not be checked", "UNAVAILABLE", "plan again later", "the plan goes on"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test.run(t)
		})
	}
}

func (f setupFault) run(t *testing.T) {
	t.Helper()
	stage := Start(t)
	stage.EmulatorOnly()
	for name, value := range f.env {
		stage.Setenv(name, value)
	}
	for _, fault := range f.faults {
		if err := stage.Emulator.InjectFault(fault); err != nil {
			t.Fatal(err)
		}
	}
	cli := stage.CLI(map[string]string{"main.tf": requirement + "provider \"cloudrungpu\" {\n" + f.provider + "\n}\n" + aJob})
	v := said(t, cli, f.command...)
	if v.errors != f.errors || v.warnings != f.warnings {
		t.Errorf("%d errors and %d warnings, want %d and %d", v.errors, v.warnings, f.errors, f.warnings)
	}
	for _, want := range f.says {
		if !strings.Contains(v.printed, want) {
			t.Errorf("%q is not said", want)
		}
	}
	for _, secret := range f.never {
		if strings.Contains(v.printed, secret) {
			t.Errorf("%q is repeated", secret)
		}
	}
	if f.at != "" && !slices.ContainsFunc(v.diags, func(d *tfprotov6.Diagnostic) bool { return pointsAt(d, f.at) }) {
		t.Errorf("nothing points at %s", f.at)
	}
	if t.Failed() {
		t.Log(v.printed)
	}
}

// One warning is enough for a plan of many jobs.
func TestUnreadableQuotasAreSaidOnce(t *testing.T) {
	t.Parallel()
	stage := Start(t)
	stage.EmulatorOnly()
	if err := stage.Emulator.InjectFault(emulator.Fault{
		Method: "CloudQuotas.GetQuotaInfo", Code: codes.PermissionDenied, Times: emulator.Always,
	}); err != nil {
		t.Fatal(err)
	}
	jobs := requirement
	for i := range 5 {
		jobs += strings.NewReplacer(`"case" {`, fmt.Sprintf(`"case%d" {`, i), `"case"`, fmt.Sprintf(`"case%d"`, i)).Replace(aJob)
	}
	v := planned(t, stage.CLI(map[string]string{"main.tf": jobs}))
	if v.errors != 0 || v.warnings != 1 {
		t.Errorf("%d errors and %d warnings, want one warning:\n%s", v.errors, v.warnings, v.printed)
	}
}

// closedPort is an address of this machine at which nobody listens.
func closedPort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	return listener.Addr().String()
}

// disabledAPI answers as Google does where a project has not enabled an API.
func disabledAPI(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprint(w, `{"error": {"code": 403, "message": "Cloud Run Admin API has not been used in project acme-ml before or it is disabled.",
			"status": "PERMISSION_DENIED", "details": [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "SERVICE_DISABLED",
			"domain": "googleapis.com", "metadata": {"service": "run.googleapis.com", "consumer": "projects/acme-ml"}}]}}`)
	}))
	t.Cleanup(server.Close)
	return server.URL
}
