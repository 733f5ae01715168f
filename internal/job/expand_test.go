package job

import (
	"reflect"
	"strconv"
	"testing"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"google.golang.org/genproto/googleapis/api"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/customtype"
)

// equalModels compares attribute by attribute, so that a failure names the attribute.
func equalModels(t *testing.T, got, want Model) {
	t.Helper()
	g, w := reflect.ValueOf(got), reflect.ValueOf(want)
	for i := range g.NumField() {
		a, aOK := g.Field(i).Interface().(attr.Value)
		b, bOK := w.Field(i).Interface().(attr.Value)
		if !aOK || !bOK {
			t.Fatalf("field %s is no attribute value", g.Type().Field(i).Name)
		}
		if !a.Equal(b) {
			t.Errorf("%s = %s, want %s", g.Type().Field(i).Tag.Get("tfsdk"), a, b)
		}
	}
}

func TestEveryFieldSurvivesTheWayToTheAPIAndBack(t *testing.T) {
	t.Parallel()
	for i, m := range append(everyVariant(), withResources(plainModel())) {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			job := expandJob(m, owned{}, nil, "1.0.0")
			got := flattenJob(job, m.jobName(), m, ownership{})
			want := m
			want.ID = got.ID
			equalModels(t, got, want)
		})
	}
}

// The full model is only worth its name while no attribute is null in it; UID and create time are the server's.
func TestFullModelIsFull(t *testing.T) {
	t.Parallel()
	v := reflect.ValueOf(fullModel())
	for i := range v.NumField() {
		name := v.Type().Field(i).Tag.Get("tfsdk")
		value, ok := v.Field(i).Interface().(attr.Value)
		if name == "uid" || name == "create_time" || name == "timeouts" {
			continue
		}
		if !ok || value.IsNull() {
			t.Errorf("fullModel leaves %s out", name)
		}
	}
}

func TestAnswersInAnotherSpellingAreNoDrift(t *testing.T) {
	t.Parallel()
	m := fullModel()
	job := expandJob(m, owned{}, nil, "1.0.0")
	limits := job.GetTemplate().GetTemplate().GetContainers()[0].GetResources().GetLimits()
	limits["cpu"], limits["memory"] = "8", "32768Mi"
	job.LaunchStage = api.LaunchStage_GA // the API lowers the stage to what is used
	job.Labels["someone"], job.Labels["run.googleapis.com/x"] = "else", "y"
	job.Client, job.ClientVersion = "gcloud", "550.0.0"
	equalModels(t, flattenJob(job, m.jobName(), m, ownership{}), m)
}

func TestARealChangeIsSeen(t *testing.T) {
	t.Parallel()
	m := fullModel()
	for name, change := range map[string]func(*runpb.Job){
		"labels":                func(j *runpb.Job) { j.Labels["team"] = "web" },
		"task_count":            func(j *runpb.Job) { j.Template.TaskCount++ },
		"parallelism":           func(j *runpb.Job) { j.Template.Parallelism = 0 },
		"max_retries":           func(j *runpb.Job) { j.Template.Template.Retries = nil },
		"task_timeout":          func(j *runpb.Job) { j.Template.Template.Timeout = nil },
		"service_account":       func(j *runpb.Job) { j.Template.Template.ServiceAccount = "12-compute@developer.gserviceaccount.com" },
		"launch_stage":          func(j *runpb.Job) { j.LaunchStage = api.LaunchStage_ALPHA },
		"encryption_key":        func(j *runpb.Job) { j.Template.Template.EncryptionKey = "" },
		"annotations":           func(j *runpb.Job) { j.Annotations["owner"] = "web" },
		"execution_labels":      func(j *runpb.Job) { delete(j.Template.Labels, "cost") },
		"execution_annotations": func(j *runpb.Job) { j.Template.Annotations["ticket"] = "T-2" },
		"volumes":               func(j *runpb.Job) { j.Template.Template.Volumes = j.Template.Template.Volumes[1:] },
		"vpc_access":            func(j *runpb.Job) { j.Template.Template.VpcAccess.Egress = runpb.VpcAccess_PRIVATE_RANGES_ONLY },
		"binary_authorization":  func(j *runpb.Job) { j.BinaryAuthorization = nil },
		"gpu":                   func(j *runpb.Job) { j.Template.Template.NodeSelector.Accelerator = "nvidia-rtx-pro-6000" },
		"containers":            func(j *runpb.Job) { j.Template.Template.Containers[1].Image = "other" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			job := expandJob(m, owned{}, nil, "1.0.0")
			change(job)
			got := flattenJob(job, m.jobName(), m, ownership{})
			v := reflect.ValueOf(got)
			for i := range v.NumField() {
				if v.Type().Field(i).Tag.Get("tfsdk") != name {
					continue
				}
				now, _ := v.Field(i).Interface().(attr.Value)
				was, _ := reflect.ValueOf(m).Field(i).Interface().(attr.Value)
				if now.Equal(was) {
					t.Errorf("%s is still %s", name, now)
				}
			}
		})
	}
}

func TestAnUpdateCarriesOverWhatIsNotOurs(t *testing.T) {
	t.Parallel()
	m := fullModel()
	current := expandJob(m, owned{}, nil, "0.9.0")
	current.Name, current.Etag = "projects/acme/locations/us-central1/jobs/case", `"7"`
	current.Labels["someone"] = "else"
	current.Template.Template.Sandboxes = &runpb.SandboxConfiguration{}
	current.CreateExecution = &runpb.Job_StartExecutionToken{StartExecutionToken: "once"}

	m.Labels, m.EffectiveLabels = mapOf(), mapOf("env", "dev")
	m.GPU = types.ObjectNull(gpuAttributes)
	got := expandJob(m, owned{labels: map[string]string{"team": "ml", "env": "dev"}}, current, "1.0.0")

	want := proto.CloneOf(current)
	want.Labels = map[string]string{"someone": "else", "env": "dev"}
	want.ClientVersion, want.CreateExecution = "1.0.0", nil
	want.Template.Template.NodeSelector, want.Template.Template.GpuZonalRedundancyDisabled = nil, nil
	delete(want.Template.Template.Containers[0].Resources.Limits, gpuLimit)
	if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestGPUFieldsComeTogether(t *testing.T) {
	t.Parallel()
	task := expandJob(fullModel(), owned{}, nil, "1.0.0").GetTemplate().GetTemplate()
	if task.GetNodeSelector().GetAccelerator() != "nvidia-l4" || !task.GetGpuZonalRedundancyDisabled() ||
		task.GetContainers()[0].GetResources().GetLimits()[gpuLimit] != "1" || task.GetContainers()[1].GetResources().GetLimits()[gpuLimit] != "" {
		t.Errorf("got %v", task)
	}
}

func TestAbsentComesBackAsAbsent(t *testing.T) {
	t.Parallel()
	m := withResources(plainModel())
	job := expandJob(m, owned{}, nil, "1.0.0")
	// What the server fills in where nothing was sent.
	job.Template.Template.ServiceAccount = "123456789012-compute@developer.gserviceaccount.com"
	job.LaunchStage = api.LaunchStage_GA
	want := m
	want.ID = types.StringValue(m.jobName().String())
	equalModels(t, flattenJob(job, m.jobName(), m, ownership{}), want)
}

func TestEmptyKeepsTheFormThatWasWritten(t *testing.T) {
	t.Parallel()
	m := plainModel()
	c := plainContainer()
	c.Args = types.ListValueMust(types.StringType, nil)
	c.Env = types.MapValueMust(types.StringType, nil)
	m.Containers = containerList([]Container{c})
	got := flattenJob(expandJob(m, owned{}, nil, ""), m.jobName(), m, ownership{})
	if !got.Containers.Equal(m.Containers) {
		t.Errorf("got %s, want %s", got.Containers, m.Containers)
	}
}

func TestImportTakesOverEveryLabelButThoseOfSystems(t *testing.T) {
	t.Parallel()
	job := &runpb.Job{Labels: map[string]string{"team": "ml", "env": "dev", "run.googleapis.com/x": "y", "goog-terraform-provisioned": "true"}}
	got := flattenJob(job, fullModel().jobName(), Model{}, ownership{defaults: map[string]string{"env": "dev"}, all: true})
	if !got.Labels.Equal(mapOf("team", "ml")) || !got.EffectiveLabels.Equal(mapOf("team", "ml", "env", "dev")) {
		t.Errorf("labels = %s, effective_labels = %s", got.Labels, got.EffectiveLabels)
	}
}

func TestPlannedResources(t *testing.T) {
	t.Parallel()
	none, unknown := customtype.QuantityNull(), customtype.QuantityUnknown()
	sizes := testSizes()
	for name, test := range map[string]struct{ written, want Resources }{
		"both left out":       {Resources{none, none}, Resources{customtype.CPU(4), customtype.Memory(16 << 30)}},
		"CPU alone":           {Resources{customtype.QuantityValue("8"), none}, Resources{customtype.QuantityValue("8"), customtype.Memory(16 << 30)}},
		"memory alone":        {Resources{none, customtype.QuantityValue("20Gi")}, Resources{customtype.CPU(6), customtype.QuantityValue("20Gi")}},
		"memory beyond all":   {Resources{none, customtype.QuantityValue("1Ti")}, Resources{customtype.CPU(8), customtype.QuantityValue("1Ti")}},
		"CPU not known yet":   {Resources{unknown, none}, Resources{unknown, unknown}},
		"both written":        {Resources{customtype.QuantityValue("4"), customtype.QuantityValue("16Gi")}, Resources{customtype.QuantityValue("4"), customtype.QuantityValue("16Gi")}},
		"memory unknown, CPU": {Resources{none, unknown}, Resources{unknown, unknown}},
	} {
		if got := plannedResources(test.written, sizes); !got.equal(test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
