package job

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/customtype"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
)

// Run is the attribute run: the execution that follows every change.
type Run struct {
	Triggers  types.Map
	Wait      types.Bool
	Timeout   customtype.Duration
	TaskCount types.Int64
	Container types.String
	Args      types.List
	Env       types.Map
}

var runAttributes = map[string]attr.Type{
	"triggers":   types.MapType{ElemType: types.StringType},
	"wait":       types.BoolType,
	"timeout":    customtype.DurationType{},
	"task_count": types.Int64Type,
	"container":  types.StringType,
	"args":       types.ListType{ElemType: types.StringType},
	"env":        types.MapType{ElemType: types.StringType},
}

// run reads the attribute run; false where it is absent. Of an unknown run all fields are unknown.
func (m Model) run() (Run, bool) {
	return Run{
		Triggers:  mapField(m.Run, "triggers", types.StringType),
		Wait:      boolField(m.Run, "wait"),
		Timeout:   field(m.Run, "timeout", customtype.Duration{StringValue: types.StringUnknown()}, customtype.DurationNull()),
		TaskCount: int64Field(m.Run, "task_count"),
		Container: stringField(m.Run, "container"),
		Args:      listField(m.Run, "args", types.StringType),
		Env:       mapField(m.Run, "env", types.StringType),
	}, !m.Run.IsNull()
}

func (r Run) object() types.Object {
	return types.ObjectValueMust(runAttributes, map[string]attr.Value{
		"triggers": r.Triggers, "wait": r.Wait, "timeout": r.Timeout, "task_count": r.TaskCount, "container": r.Container, "args": r.Args, "env": r.Env,
	})
}

// same is true where two runs are one: how long somebody waits for it makes no other run.
func (r Run) same(other Run) bool {
	return r.Triggers.Equal(other.Triggers) && r.TaskCount.Equal(other.TaskCount) && r.Container.Equal(other.Container) &&
		r.Args.Equal(other.Args) && r.Env.Equal(other.Env)
}

// patience is how long the run is waited for.
func (r Run) patience() time.Duration {
	if length, ok := r.Timeout.Length(); ok {
		return length
	}
	return runTimeout
}

// runContainer is the name of the container that a run changes: the one that is written, else the only one, else the one with
// the GPU; without all of these the first. It is "" where that has no name.
func (m Model) runContainer() string {
	r, _ := m.run()
	containers, _ := m.containers()
	if known(r.Container) || len(containers) == 0 {
		return r.Container.ValueString()
	}
	g, hasGPU := m.gpu()
	if at, ok := g.holder(containers); hasGPU && ok && at >= 0 {
		return containers[at].Name.ValueString()
	}
	return containers[0].Name.ValueString()
}

// request is the run as the API is asked for it.
func (m Model) runRequest(mark string) runapi.Run {
	r, _ := m.run()
	return runapi.Run{
		Mark: mark, Container: m.runContainer(), Env: textMap(r.Env), Args: texts(r.Args), ClearArgs: known(r.Args) && len(r.Args.Elements()) == 0,
		TaskCount: int32(r.TaskCount.ValueInt64()), //nolint:gosec // at most 10000
	}
}

// parts are what tells one run of a job from another, in a fixed order.
func (r Run) parts() []string {
	parts := []string{r.TaskCount.String(), r.Container.String(), r.Args.String()}
	for _, m := range []map[string]string{textMap(r.Triggers), textMap(r.Env)} {
		for _, key := range slices.Sorted(maps.Keys(m)) {
			parts = append(parts, key, m[key])
		}
		parts = append(parts, "")
	}
	return parts
}

// LastRun is the attribute last_run: the execution that Terraform started last, as it was when Terraform stopped looking.
type LastRun struct {
	Execution types.String
	State     types.String
	LogURI    types.String
}

var lastRunAttributes = map[string]attr.Type{"execution": types.StringType, "state": types.StringType, "log_uri": types.StringType}

func (r LastRun) object() types.Object {
	return types.ObjectValueMust(lastRunAttributes, map[string]attr.Value{"execution": r.Execution, "state": r.State, "log_uri": r.LogURI})
}

// keptObject is an object of the state, absent where there is none yet.
func keptObject(prior types.Object, of map[string]attr.Type) types.Object {
	if len(prior.AttributeTypes(context.Background())) == 0 {
		return types.ObjectNull(of)
	}
	return prior
}
