package job

import (
	_ "embed"
	"encoding/json"
	"os"
	"reflect"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// peerState is a state of google_cloud_run_v2_job with every attribute set, in the peer's own form.
//
//go:embed testdata/moved/peer.json
var peerState []byte

func movedModel(t *testing.T, change func(map[string]any)) (Model, error) {
	t.Helper()
	var state map[string]any
	if err := json.Unmarshal(peerState, &state); err != nil {
		t.Fatal(err)
	}
	change(state)
	raw, err := json.Marshal(state)
	if err != nil {
		t.Fatal(err)
	}
	var peer peerJob
	if err := json.Unmarshal(raw, &peer); err != nil {
		return Model{}, err
	}
	m, _, err := peer.model()
	return m, err
}

// A moved job is what a read of the job the peer made would give: nothing is left out on the way.
func TestEveryFieldOfThePeerArrives(t *testing.T) {
	t.Parallel()
	m, err := movedModel(t, func(map[string]any) {})
	if err != nil {
		t.Fatal(err)
	}
	v := reflect.ValueOf(m)
	for i := range v.NumField() {
		name := v.Type().Field(i).Tag.Get("tfsdk")
		value, ok := v.Field(i).Interface().(attr.Value)
		if name == "launch_stage" || name == "run" || name == "last_run" { // GA is what absent means; the peer runs nothing
			continue
		}
		if !ok || value.IsNull() || value.IsUnknown() {
			t.Errorf("%s did not arrive", name)
		}
	}
	again := flattenJob(expandJob(m, owned{}, nil, ""), m.jobName(), m, ownership{})
	again.UID, again.CreateTime = m.UID, m.CreateTime
	equalModels(t, again, m)
}

func TestWhatBecomesOfThePeersState(t *testing.T) {
	t.Parallel()
	task := func(s map[string]any) map[string]any {
		run, _ := s["template"].([]any)[0].(map[string]any)
		task, _ := run["template"].([]any)[0].(map[string]any)
		return task
	}
	for name, test := range map[string]struct {
		change func(map[string]any)
		got    func(Model) attr.Value
		want   attr.Value
	}{
		"labels of systems stay foreign": {func(map[string]any) {}, func(m Model) attr.Value { return m.EffectiveLabels }, mapOf("team", "ml")},
		"before terraform_labels":        {func(s map[string]any) { delete(s, "terraform_labels") }, func(m Model) attr.Value { return m.EffectiveLabels }, mapOf("team", "ml")},
		"default labels":                 {func(s map[string]any) { s["terraform_labels"] = map[string]any{"team": "ml", "env": "dev"} }, func(m Model) attr.Value { return m.EffectiveLabels }, mapOf("team", "ml", "env", "dev")},
		"the peer's protection":          {func(s map[string]any) { delete(s, "deletion_protection") }, func(m Model) attr.Value { return m.DeletionProtection }, types.BoolValue(true)},
		"the default service account":    {func(s map[string]any) { task(s)["service_account"] = "12-compute@developer.gserviceaccount.com" }, func(m Model) attr.Value { return m.ServiceAccount }, types.StringNull()},
		"no GPU":                         {func(s map[string]any) { withoutGPU(task(s)) }, func(m Model) attr.Value { return m.GPU }, types.ObjectNull(gpuAttributes)},
		"parallelism of 0":               {func(s map[string]any) { s["template"].([]any)[0].(map[string]any)["parallelism"] = 0 }, func(m Model) attr.Value { return m.Parallelism }, types.Int64Null()},
		"a self link for a name":         {func(s map[string]any) { s["name"], s["id"] = "projects/p/locations/l/jobs/case", "" }, func(m Model) attr.Value { return m.Name }, types.StringValue("case")},
		"BETA":                           {func(s map[string]any) { s["launch_stage"] = "BETA" }, func(m Model) attr.Value { return m.LaunchStage }, types.StringValue("BETA")},
		"no timeouts":                    {func(s map[string]any) { s["timeouts"] = nil }, func(m Model) attr.Value { return m.Timeouts }, noTimeouts()},
	} {
		m, err := movedModel(t, test.change)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := test.got(m); !got.Equal(test.want) {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

func withoutGPU(task map[string]any) {
	task["node_selector"], task["gpu_zonal_redundancy_disabled"] = []any{}, nil
	container, _ := task["containers"].([]any)[0].(map[string]any)
	container["resources"] = []any{map[string]any{"limits": map[string]any{"cpu": "1", "memory": "512Mi"}}}
}

func TestStatesThatCannotBeMoved(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(map[string]any){
		"no project":         func(s map[string]any) { s["project"], s["id"] = "", "" },
		"a broken timeout":   func(s map[string]any) { s["create_time"] = "yesterday" },
		"a list for a label": func(s map[string]any) { s["labels"] = []any{1} },
	} {
		if _, err := movedModel(t, change); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

// Whatever a state file holds, reading it neither panics nor hangs.
func FuzzMovedState(f *testing.F) {
	f.Add(string(peerState))
	f.Add(`{"template": [null]}`)
	f.Add(`{"id": "projects/p/locations/l/jobs/j", "template": [{"template": [{"containers": [null], "volumes": [null], "timeout": "1e9h"}]}]}`)
	if more, err := os.ReadFile("testdata/moved/peer.json"); err == nil {
		f.Add(string(more[:len(more)/2]))
	}
	f.Fuzz(func(t *testing.T, raw string) {
		var peer peerJob
		if err := json.Unmarshal([]byte(raw), &peer); err != nil {
			return
		}
		m, name, err := peer.model()
		if err == nil && m.ID.ValueString() != name.String() {
			t.Errorf("the id is %s, the name %s", m.ID, name)
		}
	})
}
