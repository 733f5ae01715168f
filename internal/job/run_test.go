package job

import (
	"slices"
	"testing"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/customtype"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/gpu"
)

// plainRun is run = {}.
func plainRun() Run {
	return Run{
		Triggers: mapOf(), Wait: types.BoolValue(true), Timeout: customtype.Duration{StringValue: types.StringValue("1h")}, TaskCount: types.Int64Null(),
		Container: types.StringNull(), Args: stringsOf(), Env: mapOf(),
	}
}

// running is a job that runs, with these changes of the run and of the job.
func running(change func(*Run), changes ...func(*Model)) Model {
	m, r := plainModel(), plainRun()
	change(&r)
	m.Run = r.object()
	for _, c := range changes {
		c(&m)
	}
	return m
}

func containersNamed(names ...string) func(*Model) {
	var changes []func(*Container)
	for _, name := range names {
		changes = append(changes, func(c *Container) { c.Name = types.StringValue(name) })
	}
	return withContainers(changes...)
}

func TestRulesOfRuns(t *testing.T) {
	t.Parallel()
	parallel := func(n int64) func(*Model) {
		return func(m *Model) { m.TaskCount, m.Parallelism = types.Int64Value(n), types.Int64Value(n) }
	}
	for name, test := range map[string]struct {
		model Model
		want  []string
	}{
		"plain":                    {running(func(*Run) {}), nil},
		"everything":               {running(func(r *Run) { r.Args, r.Env, r.TaskCount = stringsOf("a"), mapOf("A", "1"), types.Int64Value(3) }), nil},
		"reserved":                 {running(func(r *Run) { r.Env = mapOf("PORT", "1") }), []string{`error run.env["PORT"]`}},
		"the provider's own":       {running(func(r *Run) { r.Env = mapOf("CLOUDRUNGPU_RUN", "1") }), []string{`error run.env["CLOUDRUNGPU_RUN"]`}},
		"no such container":        {running(func(r *Run) { r.Container = types.StringValue("c") }, containersNamed("a", "b")), []string{"error run.container"}},
		"which container":          {running(func(r *Run) { r.Args = stringsOf("a") }, containersNamed("a", "b")), []string{"error run.container"}},
		"that container":           {running(func(r *Run) { r.Args, r.Container = stringsOf("a"), types.StringValue("b") }, containersNamed("a", "b")), nil},
		"no override":              {running(func(*Run) {}, containersNamed("a", "b")), nil},
		"fewer than at once":       {running(func(r *Run) { r.TaskCount = types.Int64Value(2) }, parallel(3)), []string{"warning run.task_count"}},
		"more than at once":        {running(func(r *Run) { r.TaskCount = types.Int64Value(4) }, parallel(3)), nil},
		"not known yet":            {running(func(r *Run) { r.TaskCount, r.Container = types.Int64Unknown(), types.StringUnknown() }, parallel(3), containersNamed("a", "b")), nil},
		"a run not known yet":      {running(func(*Run) {}, func(m *Model) { m.Run = types.ObjectUnknown(runAttributes) }, containersNamed("a", "b")), nil},
		"containers not known yet": {running(func(r *Run) { r.Container = types.StringValue("c") }, func(m *Model) { m.Containers = types.ListUnknown(m.Containers.ElementType(t.Context())) }), nil},
	} {
		if got := found(validate(test.model, gpu.Default())); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// A run with more tasks than the job counts in what an execution can hold, where nothing else bounds that.
func TestARunCountsInPeaksAndDemand(t *testing.T) {
	t.Parallel()
	bigger := func(r *Run) { r.TaskCount = types.Int64Value(5) }
	bounded := func(m *Model) { m.Parallelism = types.Int64Value(2) }
	sizes := withContainers(sized("4", "16Gi"))
	for name, test := range map[string]struct {
		model       Model
		peak, tasks int64
	}{
		"without a bound": {running(bigger, withGPU("nvidia-l4"), sizes), 5, 5},
		"with one":        {running(bigger, withGPU("nvidia-l4"), sizes, bounded), 2, 5},
		"as the job":      {running(func(*Run) {}, withGPU("nvidia-l4"), sizes), 1, 1},
	} {
		if got := withPeaks(test.model).PeakGPUs.ValueInt64(); got != test.peak {
			t.Errorf("%s: %d GPUs at once, want %d", name, got, test.peak)
		}
		if demand, ok := test.model.demand(gpu.Default()); !ok || demand.TaskCount != test.tasks {
			t.Errorf("%s: %d tasks are demanded (%t), want %d", name, demand.TaskCount, ok, test.tasks)
		}
	}
	later := running(func(r *Run) { r.TaskCount = types.Int64Unknown() }, withGPU("nvidia-l4"), sizes)
	if _, ok := later.demand(gpu.Default()); ok || !withPeaks(later).PeakGPUs.IsUnknown() {
		t.Error("a number of tasks that is not known yet is taken for known")
	}
}

// The same run of the same change has the same mark, and every other one another.
func TestMarks(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for name, m := range map[string]Model{
		"plain":      running(func(*Run) {}),
		"trigger":    running(func(r *Run) { r.Triggers = mapOf("a", "1") }),
		"env":        running(func(r *Run) { r.Env = mapOf("a", "1") }),
		"args":       running(func(r *Run) { r.Args = stringsOf("a") }),
		"tasks":      running(func(r *Run) { r.TaskCount = types.Int64Value(2) }),
		"container":  running(func(r *Run) { r.Container = types.StringValue("a") }),
		"the job":    running(func(*Run) {}, func(m *Model) { m.TaskCount = types.Int64Value(2) }),
		"its uid":    running(func(*Run) {}, func(m *Model) { m.UID = types.StringValue("other") }),
		"containers": running(func(*Run) {}, containersNamed("a")),
	} {
		for _, last := range []string{"", "case-x7k2p"} {
			mark, what := markOf(m, last), name+" after "+last
			if other, twice := seen[mark]; twice {
				t.Errorf("%q and %q have one mark", what, other)
			}
			seen[mark] = what
			if again := markOf(m, last); again != mark || len(mark) != 32 {
				t.Errorf("the mark of %q is %q, then %q", what, mark, again)
			}
		}
	}
	patient := running(func(r *Run) { r.Timeout, r.Wait = customtype.DurationNull(), types.BoolValue(false) })
	if markOf(patient, "") != markOf(running(func(*Run) {}), "") {
		t.Error("how long somebody waits makes another run")
	}
}

func TestWhichContainerARunIsFor(t *testing.T) {
	t.Parallel()
	onB := func(m *Model) {
		m.GPU = GPU{Type: types.StringValue("nvidia-l4"), Count: types.Int64Null(), Container: types.StringValue("b"), ZonalRedundancy: types.BoolNull()}.object()
	}
	for want, m := range map[string]Model{
		"":  running(func(*Run) {}),
		"a": running(func(*Run) {}, containersNamed("a", "b")),
		"b": running(func(*Run) {}, containersNamed("a", "b"), onB),
		"c": running(func(r *Run) { r.Container = types.StringValue("c") }, containersNamed("a", "b", "c"), onB),
	} {
		if got := m.runContainer(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := MainContainer(&runpb.Job{}); got != "" {
		t.Errorf("a job without containers has the container %q", got)
	}
}

func TestWhatIsKnownOfRuns(t *testing.T) {
	t.Parallel()
	waiting := runNote{Due: true, Current: "b", Last: "a"}
	for name, test := range map[string]struct {
		due, another bool
		want         runNote
	}{
		"the same change": {true, false, waiting},
		"another change":  {true, true, runNote{Due: true, Last: "b"}},
		"no run any more": {false, true, runNote{Last: "b"}},
	} {
		if got := waiting.planned(test.due, test.another); got != test.want {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
}
