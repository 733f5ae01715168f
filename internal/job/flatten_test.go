package job

import (
	"testing"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"google.golang.org/genproto/googleapis/api"
)

// answer is what becomes of a model when the server has changed the job that it asked for.
func answer(m Model, own ownership, change func(*runpb.Job)) Model {
	job := expandJob(m, owned{}, nil, "1.0.0")
	change(job)
	return flattenJob(job, m.jobName(), m, own)
}

// What the server may fill in or add of its own is no drift; what looks like it and is not, is.
func TestWhatTheServerFillsIn(t *testing.T) {
	t.Parallel()
	network := func(v VPCAccess) func(*Model) {
		return func(m *Model) { v.NetworkTags = stringsOf(); m.VPCAccess = v.object() }
	}
	written, byDefault := types.StringValue, types.StringNull()
	nic := func(j *runpb.Job) *runpb.VpcAccess_NetworkInterface {
		return j.GetTemplate().GetTemplate().GetVpcAccess().GetNetworkInterfaces()[0]
	}
	theNetwork := VPCAccess{Network: written("net"), Subnetwork: byDefault, Connector: byDefault, Egress: byDefault}
	theSubnetwork := VPCAccess{Network: byDefault, Subnetwork: written("sub"), Connector: byDefault, Egress: byDefault}
	for name, test := range map[string]struct {
		asked  func(*Model)
		change func(*runpb.Job)
		same   bool
	}{
		"all tasks at once, spelled out": {
			func(m *Model) { m.TaskCount = types.Int64Value(4) }, func(j *runpb.Job) { j.Template.Parallelism = 4 }, true,
		},
		"fewer tasks at once": {
			func(m *Model) { m.TaskCount = types.Int64Value(4) }, func(j *runpb.Job) { j.Template.Parallelism = 3 }, false,
		},
		"as many at once as there are tasks, where fewer were asked for": {
			func(m *Model) { m.TaskCount, m.Parallelism = types.Int64Value(4), types.Int64Value(3) }, func(j *runpb.Job) { j.Template.Parallelism = 4 }, false,
		},
		"a launch stage, where none was asked for": {
			func(*Model) {}, func(j *runpb.Job) { j.LaunchStage = api.LaunchStage_BETA }, true,
		},
		"a launch stage less stable than asked for": {
			func(m *Model) { m.LaunchStage = written("GA") }, func(j *runpb.Job) { j.LaunchStage = api.LaunchStage_BETA }, false,
		},
		"the subnetwork that is called like the network": {
			network(theNetwork), func(j *runpb.Job) { nic(j).Subnetwork = "projects/p/regions/r/subnetworks/net" }, true,
		},
		"another subnetwork": {network(theNetwork), func(j *runpb.Job) { nic(j).Subnetwork = "other" }, false},
		"another network, with the subnetwork that is called like it": {
			network(theNetwork), func(j *runpb.Job) { nic(j).Network, nic(j).Subnetwork = "other", "other" }, false,
		},
		"the network of the subnetwork": {network(theSubnetwork), func(j *runpb.Job) { nic(j).Network = "net" }, true},
		"annotations of Google's systems": {
			func(*Model) {}, func(j *runpb.Job) {
				j.Annotations = map[string]string{"run.googleapis.com/operation-id": "1"}
				j.Template.Annotations = map[string]string{"run.googleapis.com/operation-id": "1", "run.googleapis.com/client-name": "gcloud"}
			}, true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := withResources(plainModel())
			test.asked(&m)
			m = withPeaks(m)
			m.ID = types.StringValue(m.jobName().String())
			got := answer(m, ownership{}, test.change)
			if test.same {
				equalModels(t, got, m)
			} else if sameRequest(got, m) {
				t.Errorf("the change is not seen")
			}
		})
	}
}

// An import takes over what a read leaves to the server, because nothing says that it is not wanted.
func TestAnImportTakesOverWhatTheServerSays(t *testing.T) {
	t.Parallel()
	got := answer(withResources(plainModel()), ownership{all: true}, func(j *runpb.Job) {
		j.LaunchStage, j.Template.TaskCount, j.Template.Parallelism = api.LaunchStage_BETA, 4, 4
	})
	if got.LaunchStage.ValueString() != "BETA" || got.Parallelism.ValueInt64() != 4 {
		t.Errorf("launch_stage = %s, parallelism = %s", got.LaunchStage, got.Parallelism)
	}
}

// A state has no unknown values, whatever the server leaves out.
func TestNothingOfAnAnswerIsUnknown(t *testing.T) {
	t.Parallel()
	for name, job := range map[string]*runpb.Job{
		"nothing": {},
		"no limits": {Template: &runpb.ExecutionTemplate{Template: &runpb.TaskTemplate{
			Containers: []*runpb.Container{{Image: "a/b"}}, NodeSelector: &runpb.NodeSelector{Accelerator: "nvidia-l4"},
		}}},
		"limits that are none": {Template: &runpb.ExecutionTemplate{Template: &runpb.TaskTemplate{
			Containers: []*runpb.Container{{Resources: &runpb.ResourceRequirements{Limits: map[string]string{"cpu": "many", "nvidia.com/gpu": "all"}}}},
		}}},
	} {
		got := Describe(job, plainModel().jobName())
		for attribute, v := range got {
			raw, err := v.ToTerraformValue(t.Context())
			if err != nil || !raw.IsFullyKnown() {
				t.Errorf("%s: %s = %s (%v)", name, attribute, v, err)
			}
		}
		if got["id"].IsNull() {
			t.Errorf("%s: no id", name)
		}
	}
}

func TestALaunchStageOfOthersStays(t *testing.T) {
	t.Parallel()
	ours, theirs := plainModel(), plainModel()
	ours.LaunchStage = types.StringValue("BETA")
	current := &runpb.Job{LaunchStage: api.LaunchStage_BETA}
	if got := expandJob(plainModel(), ownedBy(theirs), current, "").GetLaunchStage(); got != api.LaunchStage_BETA {
		t.Errorf("theirs became %s", got)
	}
	if got := expandJob(plainModel(), ownedBy(ours), current, "").GetLaunchStage(); got != api.LaunchStage_LAUNCH_STAGE_UNSPECIFIED {
		t.Errorf("ours stays as %s", got)
	}
}
