package job

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/customtype"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/gpu"
)

// found writes diagnostics as "error containers[0].resources.cpu", in order.
func found(diags diag.Diagnostics) []string {
	var out []string
	for _, d := range diags {
		at := ""
		if with, ok := d.(diag.DiagnosticWithPath); ok {
			at = with.Path().String()
		}
		out = append(out, strings.ToLower(d.Severity().String())+" "+at)
	}
	return out
}

func withGPU(name string) func(*Model) {
	return func(m *Model) {
		m.GPU = GPU{
			Type: types.StringValue(name), Count: types.Int64Null(), Container: types.StringNull(), ZonalRedundancy: types.BoolNull(),
		}.object()
	}
}

func withContainers(changes ...func(*Container)) func(*Model) {
	return func(m *Model) {
		var containers []Container
		for _, change := range changes {
			c := plainContainer()
			change(&c)
			containers = append(containers, c)
		}
		m.Containers = containerList(containers)
	}
}

func sized(cpu, memory string) func(*Container) {
	return func(c *Container) {
		r := Resources{CPU: customtype.QuantityNull(), Memory: customtype.QuantityNull()}
		if cpu != "" {
			r.CPU = customtype.QuantityValue(cpu)
		}
		if memory != "" {
			r.Memory = customtype.QuantityValue(memory)
		}
		c.Resources = r.object()
	}
}

func named(name string, more ...func(*Container)) func(*Container) {
	return func(c *Container) {
		c.Name = types.StringValue(name)
		for _, change := range more {
			change(c)
		}
	}
}

func waitingFor(names ...string) func(*Container) {
	return func(c *Container) { c.DependsOn = stringsOf(names...) }
}

func mounting(path, volume, subPath string) func(*Container) {
	return func(c *Container) {
		m := VolumeMount{Volume: types.StringValue(volume), SubPath: optionalString(subPath, types.StringNull())}
		c.VolumeMounts = mountMap(map[string]VolumeMount{path: m}, types.MapNull(volumeMountType))
	}
}

func probed(change func(*StartupProbe)) func(*Container) {
	return func(c *Container) { c.StartupProbe = fullProbe(change) }
}

func searching(path string) func(*Container) {
	return func(c *Container) { c.Env = mapOf("LD_LIBRARY_PATH", path) }
}

func tcp(p *StartupProbe) { p.TCPSocket = tcpSocket(types.Int64Null()) }

func TestRules(t *testing.T) {
	t.Parallel()
	const l4, rtx = "nvidia-l4", "nvidia-rtx-pro-6000"
	for name, test := range map[string]struct {
		change []func(*Model)
		found  []string
		says   string
	}{
		"nothing wrong":             {nil, nil, ""},
		"GPU, all else left out":    {[]func(*Model){withGPU(l4)}, nil, ""},
		"near miss of a type":       {[]func(*Model){withGPU("nvidia_l4")}, []string{"error gpu.type"}, `Did you mean "nvidia-l4"`},
		"CPU below the GPU's":       {[]func(*Model){withGPU(l4), withContainers(sized("2", "16Gi"))}, []string{"error containers[0].resources.cpu"}, "4, 6, 8"},
		"CPU and memory below":      {[]func(*Model){withGPU(l4), withContainers(sized("2", "8Gi"))}, []string{"error containers[0].resources.cpu", "error containers[0].resources.memory"}, "16Gi"},
		"memory above the CPU's":    {[]func(*Model){withGPU(l4), withContainers(sized("6", "32Gi"))}, []string{"error containers[0].resources.memory"}, "8 vCPU can have up to 32Gi"},
		"memory alone is enough":    {[]func(*Model){withGPU(l4), withContainers(sized("", "30Gi"))}, nil, ""},
		"memory alone is too much":  {[]func(*Model){withGPU(l4), withContainers(sized("", "33Gi"))}, []string{"error containers[0].resources.memory"}, "32Gi"},
		"exact memory":              {[]func(*Model){withGPU(rtx), withContainers(sized("20", "96Gi"))}, []string{"error containers[0].resources.memory"}, `"80Gi", or leave it out`},
		"sidecar keeps its size":    {[]func(*Model){withGPU(l4), onContainer("a"), withContainers(named("a"), named("b", sized("0.5", "512Mi")))}, nil, ""},
		"sidecar of no size":        {[]func(*Model){withGPU(l4), onContainer("a"), withContainers(named("a"), named("b", sized("3", "2Gi")))}, []string{"error containers[1].resources.cpu"}, "1, 2, 4, 6, 8"},
		"half a vCPU in all":        {[]func(*Model){withContainers(sized("500m", "512Mi"))}, []string{"error containers"}, "at least 1 vCPU"},
		"two halves are one":        {[]func(*Model){withContainers(sized("500m", "512Mi"), sized("500m", "512Mi"))}, nil, ""},
		"a share has its memory":    {[]func(*Model){withContainers(sized("1", "512Mi"), sized("0.5", "2Gi"))}, []string{"error containers[1].resources.memory"}, "0.5 vCPU can have 0 to 1Gi"},
		"little memory beside more": {[]func(*Model){withContainers(sized("1", "512Mi"), sized("1", "128Mi"))}, nil, ""},
		"little memory in all":      {[]func(*Model){withContainers(sized("1", "128Mi"), sized("1", "128Mi"))}, []string{"error containers"}, "512Mi"},
		"GPU in no container":       {[]func(*Model){withGPU(l4), onContainer("z"), withContainers(named("a"), named("b"))}, []string{"error gpu.container"}, `"a", "b"`},
		"GPU of one container":      {[]func(*Model){withGPU(l4), onContainer("z"), withContainers(named("a"))}, []string{"error gpu.container"}, `"a"`},
		"12 hours with BETA":        {[]func(*Model){withGPU(l4), lasting("12h"), staged("BETA")}, nil, ""},
		"13 hours with BETA":        {[]func(*Model){withGPU(l4), lasting("13h"), staged("BETA")}, []string{"error task_timeout"}, "43200s"},
		"a week with a GPU":         {[]func(*Model){withGPU(l4), lasting("168h")}, []string{"error task_timeout"}, "3600s"},
		"one name twice":            {[]func(*Model){withContainers(named("a"), named("a"))}, []string{"error containers[1].name"}, "containers[0] and containers[1]"},
		"reserved variable":         {[]func(*Model){withContainers(func(c *Container) { c.Env = mapOf("PORT", "1") })}, []string{`error containers[0].env["PORT"]`}, "Leave it out"},
		"long variable":             {[]func(*Model){withContainers(func(c *Container) { c.Env = mapOf("A", strings.Repeat("x", 32769)) })}, []string{`error containers[0].env["A"]`}, "32768"},
		"waits for nobody":          {[]func(*Model){withContainers(named("a", waitingFor("z")))}, []string{"error containers[0].depends_on[0]"}, `"a"`},
		"waits for itself":          {[]func(*Model){withContainers(named("a", waitingFor("a")))}, []string{"error containers[0].depends_on"}, "a -> a"},
		"waits in a circle":         {[]func(*Model){withContainers(named("a", waitingFor("b")), named("b", waitingFor("c")), named("c", waitingFor("b")))}, []string{"error containers[1].depends_on"}, "b -> c -> b"},
		"mount of nothing":          {[]func(*Model){withContainers(mounting("/m", "gone", ""))}, []string{`error containers[0].volume_mounts["/m"].volume`}, "Add it to volumes"},
		"mount at a relative path":  {[]func(*Model){withVolumes, withContainers(mounting("m", "scratch", ""))}, []string{`error containers[0].volume_mounts["m"]`}, "absolute"},
		"mount over the system":     {[]func(*Model){withVolumes, withContainers(mounting("/proc/x", "scratch", ""))}, []string{`error containers[0].volume_mounts["/proc/x"]`}, "/dev, /proc, /sys"},
		"part of a secret":          {[]func(*Model){withVolumes, withContainers(mounting("/k", "key", "a.pem"))}, []string{`error containers[0].volume_mounts["/k"].sub_path`}, "items"},
		"probe without an action":   {[]func(*Model){withContainers(probed(func(*StartupProbe) {}))}, []string{"error containers[0].startup_probe"}, "exactly one"},
		"probe with two actions":    {[]func(*Model){withContainers(probed(func(p *StartupProbe) { tcp(p); p.GRPC = GRPCProbe{}.object() }))}, []string{"error containers[0].startup_probe"}, "exactly one"},
		"probe try too long":        {[]func(*Model){withContainers(probed(func(p *StartupProbe) { tcp(p); p.Timeout = types.Int64Value(21) }))}, []string{"error containers[0].startup_probe.timeout_seconds"}, "at most 20"},
		"probe too long":            {[]func(*Model){withContainers(probed(func(p *StartupProbe) { tcp(p); p.FailureThreshold = types.Int64Value(31) }))}, []string{"error containers[0].startup_probe.failure_threshold"}, "at most 30"},
		"probe as long with a GPU":  {[]func(*Model){withGPU(l4), withContainers(probed(func(p *StartupProbe) { tcp(p); p.FailureThreshold = types.Int64Value(90) }))}, nil, ""},
		"network tags alone":        {[]func(*Model){reaching(VPCAccess{Connector: types.StringValue("c"), NetworkTags: stringsOf("a")})}, []string{"error vpc_access.network_tags"}, "network"},
		"no way into the network":   {[]func(*Model){reaching(VPCAccess{Egress: types.StringValue("ALL_TRAFFIC"), NetworkTags: stringsOf()})}, []string{"error vpc_access"}, "connector"},
		"no policy":                 {[]func(*Model){authorized(BinaryAuthorization{UseDefault: types.BoolValue(false)})}, []string{"error binary_authorization"}, "use_default = true"},
		"older CUDA first":          {[]func(*Model){withGPU(l4), withContainers(searching("/usr/local/cuda-11/lib64"))}, []string{`warning containers[0].env["LD_LIBRARY_PATH"]`}, "begin it with /usr/local/nvidia/lib64"},
		"driver first":              {[]func(*Model){withGPU(l4), withContainers(searching("/usr/local/nvidia/lib64:/usr/local/cuda-11/lib64"))}, nil, ""},
		"own libraries":             {[]func(*Model){withGPU(l4), withContainers(searching("/app/lib"))}, nil, ""},
		"older CUDA, no GPU":        {[]func(*Model){withContainers(searching("/usr/local/cuda-11/lib64"))}, nil, ""},
		"two policies":              {[]func(*Model){authorized(BinaryAuthorization{UseDefault: types.BoolValue(true), Policy: types.StringValue("p")})}, []string{"error binary_authorization.policy"}, "Keep one"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := plainModel()
			for _, change := range test.change {
				change(&m)
			}
			diags := validate(m, gpu.Default())
			if got := found(diags); !reflect.DeepEqual(got, test.found) {
				t.Fatalf("found %q, want %q\n%v", got, test.found, diags)
			}
			if len(diags) > 0 && !strings.Contains(diags[len(diags)-1].Detail(), test.says) {
				t.Errorf("does not say %q:\n%s", test.says, diags[len(diags)-1].Detail())
			}
		})
	}
}

func onContainer(name string) func(*Model) {
	return func(m *Model) {
		g, _ := m.gpu()
		g.Container = types.StringValue(name)
		m.GPU = g.object()
	}
}

func lasting(d string) func(*Model) {
	return func(m *Model) { m.TaskTimeout = customtype.Duration{StringValue: types.StringValue(d)} }
}

func staged(stage string) func(*Model) {
	return func(m *Model) { m.LaunchStage = types.StringValue(stage) }
}

func withVolumes(m *Model) { m.Volumes, m.LaunchStage = fullVolumes(), types.StringValue("BETA") }

func reaching(v VPCAccess) func(*Model) { return func(m *Model) { m.VPCAccess = v.object() } }

func authorized(b BinaryAuthorization) func(*Model) {
	return func(m *Model) { m.BinaryAuthorization = b.object() }
}

func TestTenMistakesAreTenErrors(t *testing.T) {
	t.Parallel()
	m := plainModel()
	withGPU("nvidia-l4")(&m)
	g, _ := m.gpu()
	g.Count, g.ZonalRedundancy = types.Int64Value(2), types.BoolValue(true)
	m.GPU = g.object()
	m.Location = types.StringValue("europe-north1")
	lasting("100h")(&m)
	reaching(VPCAccess{Connector: types.StringValue("c"), Network: types.StringValue("n"), NetworkTags: stringsOf()})(&m)
	withContainers(sized("5", "8Gi"), func(c *Container) { c.Env = mapOf("PORT", "1"); mounting("/dev", "gone", "")(c) })(&m)
	if got := found(validate(m, gpu.Default())); len(got) < 10 {
		t.Errorf("found only %d: %q", len(got), got)
	}
}

// Required is not known: whatever is unknown at plan must not raise an error, nor hide the others' absence of one.
func TestUnknownValuesRaiseNothing(t *testing.T) {
	t.Parallel()
	v := reflect.ValueOf(fullModel())
	for i := range v.NumField() {
		name := v.Type().Field(i).Tag.Get("tfsdk")
		value, ok := v.Field(i).Interface().(attr.Value)
		if !ok || name == "timeouts" {
			continue
		}
		m := fullModel()
		unknown, err := unknownOf(value)
		if err != nil {
			t.Fatal(err)
		}
		reflect.ValueOf(&m).Elem().Field(i).Set(reflect.ValueOf(unknown))
		if diags := validate(m, gpu.Default()); diags.HasError() {
			t.Errorf("%s unknown: %v", name, diags)
		}
		planned := withPeaks(m)
		if name == "containers" && !planned.PeakCPU.IsUnknown() {
			t.Errorf("peak_cpu = %s with unknown containers", planned.PeakCPU)
		}
	}
}

func unknownOf(v attr.Value) (attr.Value, error) {
	switch v := v.(type) {
	case types.String:
		return types.StringUnknown(), nil
	case customtype.Duration:
		return customtype.Duration{StringValue: types.StringUnknown()}, nil
	case types.Int64:
		return types.Int64Unknown(), nil
	case types.Float64:
		return types.Float64Unknown(), nil
	case types.Bool:
		return types.BoolUnknown(), nil
	case types.Map:
		return types.MapUnknown(v.ElementType(nil)), nil //nolint:staticcheck // the context is not looked at
	case types.List:
		return types.ListUnknown(v.ElementType(nil)), nil //nolint:staticcheck // the context is not looked at
	case types.Object:
		return types.ObjectUnknown(v.AttributeTypes(nil)), nil //nolint:staticcheck // the context is not looked at
	}
	return nil, fmt.Errorf("no unknown %T", v)
}

func BenchmarkValidate(b *testing.B) {
	m, catalogue := fullModel(), gpu.Default()
	b.ReportAllocs()
	for b.Loop() {
		validate(m, catalogue)
	}
}

func BenchmarkExpandFlatten(b *testing.B) {
	m := fullModel()
	b.ReportAllocs()
	for b.Loop() {
		flattenJob(expandJob(m, owned{}, nil, "1.0.0"), m.jobName(), m, ownership{})
	}
}
