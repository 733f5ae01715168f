package jobyaml

import (
	"os"
	"strings"
	"testing"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/testing/protocmp"
)

// wanted is testdata/full.yaml in the shape of the API v2, written by hand.
const wanted = `{
  "labels": {"cloud.googleapis.com/location": "us-central1", "team": "ml"},
  "annotations": {"note": "nightly"},
  "launchStage": "BETA",
  "binaryAuthorization": {"useDefault": true, "breakglassJustification": "incident 7"},
  "template": {
    "labels": {"cost": "research"}, "annotations": {"why": "because"}, "parallelism": 3, "taskCount": 12,
    "template": {
      "maxRetries": 0, "timeout": "3600s", "serviceAccount": "trainer@p.iam.gserviceaccount.com",
      "encryptionKey": "projects/p/locations/us-central1/keyRings/r/cryptoKeys/k",
      "nodeSelector": {"accelerator": "nvidia-l4"}, "gpuZonalRedundancyDisabled": true,
      "vpcAccess": {"egress": "ALL_TRAFFIC", "networkInterfaces": [{"network": "models", "subnetwork": "gpus", "tags": ["gpu", "batch"]}]},
      "containers": [
        {
          "name": "trainer", "image": "us-docker.pkg.dev/acme/train/finetune:1.4.2", "command": ["python"], "args": ["--epochs=3"],
          "workingDir": "/work", "dependsOn": ["loader"],
          "env": [
            {"name": "MODEL", "value": "gemma-2b"},
            {"name": "HF_TOKEN", "valueSource": {"secretKeyRef": {"secret": "projects/987654321098/secrets/hf-token", "version": "3"}}}
          ],
          "resources": {"limits": {"cpu": "8000m", "memory": "32Gi", "nvidia.com/gpu": "1"}},
          "volumeMounts": [{"name": "models", "mountPath": "/models"}, {"name": "keys", "mountPath": "/keys"}, {"name": "cloudsql", "mountPath": "/cloudsql"}],
          "startupProbe": {"initialDelaySeconds": 5, "timeoutSeconds": 2, "periodSeconds": 10, "failureThreshold": 6,
            "httpGet": {"path": "/ready", "port": 8080, "httpHeaders": [{"name": "X-Probe", "value": "startup"}]}}
        },
        {
          "name": "loader", "image": "us-docker.pkg.dev/acme/train/loader:2",
          "resources": {"limits": {"cpu": "1000m", "memory": "512Mi"}},
          "volumeMounts": [{"name": "cache", "mountPath": "/cache"}, {"name": "share", "mountPath": "/share"}, {"name": "cloudsql", "mountPath": "/cloudsql"}],
          "startupProbe": {"tcpSocket": {"port": 9000}}
        }
      ],
      "volumes": [
        {"name": "models", "gcs": {"bucket": "acme-models", "readOnly": true, "mountOptions": ["enable-buffered-read=true", "implicit-dirs"]}},
        {"name": "keys", "secret": {"secret": "projects/987654321098/secrets/hf-token", "defaultMode": 256, "items": [{"version": "latest", "path": "token", "mode": 292}]}},
        {"name": "cache", "emptyDir": {"medium": "MEMORY", "sizeLimit": "256Mi"}},
        {"name": "share", "nfs": {"server": "10.0.0.2", "path": "/exports", "readOnly": true}},
        {"name": "cloudsql", "cloudSqlInstance": {"instances": ["p:us-central1:db"]}}
      ]
    }
  }
}`

func full(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile("testdata/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestParse(t *testing.T) {
	t.Parallel()
	got, err := Parse(full(t))
	if err != nil {
		t.Fatal(err)
	}
	if got.Name != "finetune" || got.Project != "123456789012" || got.Location != "us-central1" {
		t.Errorf("%s in %s of %s", got.Name, got.Location, got.Project)
	}
	want := &runpb.Job{}
	if err := protojson.Unmarshal([]byte(wanted), want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.Message, protocmp.Transform()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		old, with string
		says      []string
	}{
		"a service":               {"kind: Job", "kind: Service", []string{`kind "Service"`, "gcloud run jobs describe"}},
		"the API v2":              {"apiVersion: run.googleapis.com/v1", "name: x", []string{`apiVersion ""`}},
		"a field of services":     {"workingDir: /work", "ports: [{containerPort: 80}]", []string{"field ports is not one", "line 48"}},
		"a liveness probe":        {"workingDir: /work", "livenessProbe: {}", []string{"field livenessProbe"}},
		"an execution token":      {"spec:\n  template:\n    metadata", "spec:\n  startExecutionToken: a\n  template:\n    metadata", []string{"field startExecutionToken", "line 17"}},
		"text for a number":       {"taskCount: 12", "taskCount: many", []string{`line 35: "many" is no whole number`}},
		"a number too large":      {"taskCount: 12", "taskCount: 99999999999", []string{"is no whole number"}},
		"a list for a text":       {"workingDir: /work", "workingDir: [a]", []string{"line 48: a list does not belong here"}},
		"a text for a job":        {"", "just words #", []string{"line 1: a text does not belong here: `just"}},
		"gen1":                    {"execution-environment: gen2", "execution-environment: gen1", []string{`"gen1"`, "gen2 only"}},
		"another annotation":      {"run.googleapis.com/execution-environment: gen2", "run.googleapis.com/magic: a", []string{`"run.googleapis.com/magic"`}},
		"a stage":                 {"launch-stage: BETA", "launch-stage: PREVIEW", []string{`"PREVIEW"`, "GA, BETA or ALPHA"}},
		"another node selector":   {"run.googleapis.com/accelerator: nvidia-l4", "zone: a", []string{`nodeSelector["zone"]`}},
		"another limit":           {"nvidia.com/gpu: '1'", "tpu: '1'", []string{`containers[0].resources.limits["tpu"]`}},
		"a limit twice":           {"image: us-docker.pkg.dev/acme/train/loader:2\n", "image: x\n            resources: {limits: {cpu: '2'}}\n", []string{`"cpu" twice`, `"2"`, `"1000m"`}},
		"no kind of probe":        {"tcpSocket:\n                port: 9000", "periodSeconds: 5", []string{"containers[1].startupProbe", "has 0"}},
		"no kind of volume":       {"emptyDir:\n              medium: Memory\n              sizeLimit: 256Mi", "name: cache2", nil},
		"two kinds of volume":     {"            nfs:", "            emptyDir: {}\n            nfs:", []string{`volume "share"`, "has 2"}},
		"another driver":          {"gcsfuse.run.googleapis.com", "disk.csi", []string{`driver "disk.csi"`}},
		"another medium":          {"medium: Memory", "medium: Tape", []string{`"Tape"`}},
		"an egress":               {"all-traffic", "some", []string{`"some"`, "all-traffic or private-ranges-only"}},
		"interfaces that are no":  {`'[{"network":"models","subnetwork":"gpus","tags":"gpu,batch"}]'`, "models", []string{"not a JSON list"}},
		"dependencies that are":   {`'{"trainer":["loader"]}'`, "loader", []string{"not JSON"}},
		"a dependency of nobody":  {`{"trainer":`, `{"nobody":`, []string{`"nobody"`, "which there is not"}},
		"an alias without a name": {"'token:projects/987654321098/secrets/hf-token'", "token", []string{"ALIAS:projects/PROJECT"}},
		"no name":                 {"  name: finetune\n", "", []string{"metadata.name is missing"}},
		"two documents":           {"status:", "---\nstatus:", []string{"more than one YAML document"}},
		"no YAML":                 {"kind: Job", "kind: {", []string{"line"}},
		"a key twice":             {"kind: Job", "kind: Job\nkind: Job", []string{"kind", "already"}},
		"too much":                {"status:", "# " + strings.Repeat("x", 1<<20) + "\nstatus:", []string{"1 MiB"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := full(t)
			if !strings.Contains(text, test.old) {
				t.Fatalf("%q is not in the YAML", test.old)
			}
			_, err := Parse(strings.Replace(text, test.old, test.with, 1))
			if err == nil {
				t.Fatal("it was taken")
			}
			for _, want := range test.says {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not said in %v", want, err)
				}
			}
		})
	}
}

// All that is wrong is said at once.
func TestParseSaysAll(t *testing.T) {
	t.Parallel()
	text := strings.NewReplacer("gen2", "gen1", "medium: Memory", "medium: Tape", "launch-stage: BETA", "launch-stage: B").Replace(full(t))
	_, err := Parse(text)
	if err == nil || len(strings.Split(err.Error(), "\n")) != 3 {
		t.Errorf("want three faults: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(full(f))
	f.Add("apiVersion: run.googleapis.com/v1\nkind: Job\nmetadata: {name: a}\n")
	f.Add("apiVersion: run.googleapis.com/v1\nkind: Job\nspec: &a {template: *a}\n")
	f.Add("a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\nkind: Job")
	f.Fuzz(func(t *testing.T, text string) {
		job, err := Parse(text)
		if (job == nil) == (err == nil) {
			t.Errorf("job %v, error %v", job, err)
		}
	})
}
