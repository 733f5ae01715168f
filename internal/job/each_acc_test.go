package job_test

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/acctest"
)

// otherJob has what the full one cannot have beside its own.
//
//go:embed testdata/other/main.tf
var otherJob string

// jobs are jobs that together have every attribute, each with those that belong together: Terraform and its plugin library take
// their time with large ones.
func jobs(t *testing.T) map[string]body {
	t.Helper()
	full := bodyOf(t, fullJob)
	trainer := place{"containers", "0"}
	inside := func(name string) place { return append(slices.Clone(trainer), name) }
	top := full.without(place{"volumes"}, place{"containers", "1"})
	for _, name := range []string{"command", "args", "working_dir", "env", "secret_env", "startup_probe", "volume_mounts", "depends_on"} {
		top = top.without(inside(name))
	}
	mounted := map[string]any{"image": full.at(inside("image")), "volume_mounts": full.at(inside("volume_mounts"))}
	return map[string]body{
		"top":        top,
		"containers": {"gpu": full["gpu"], "containers": full.without(inside("volume_mounts"))["containers"]},
		"volumes":    {"volumes": full["volumes"], "containers": []any{mounted}},
		"other":      bodyOf(t, otherJob),
	}
}

// elsewhere is what a job needs and another one tries.
var elsewhere = map[string]string{"top": "containers", "containers": "gpu"}

// stays are the values without which a job would be refused.
var stays = map[string]bool{
	"top binary_authorization policy":                  true,
	"containers containers 0":                          true,
	"containers containers 0 name":                     true,
	"containers containers 0 startup_probe http_get":   true,
	"containers containers 1 startup_probe tcp_socket": true,
	"volumes containers 0":                             true,
	"volumes volumes cloudsql cloud_sql":               true,
	"volumes volumes keys secret":                      true,
	"volumes volumes models gcs":                       true,
	"volumes volumes scratch empty_dir":                true,
	"volumes volumes share nfs":                        true,
	"other binary_authorization use_default":           true,
	"other containers 0":                               true,
	"other containers 0 startup_probe grpc":            true,
	"other launch_stage":                               true, // a disk is a preview
	"other volumes all secret":                         true,
	"other volumes disk empty_dir":                     true,
	"other vpc_access connector":                       true,
}

// goesWith are the values that make no sense without another one: they go with it.
var goesWith = map[string]place{
	"volumes":           {"containers", "0", "volume_mounts"},
	"volumes all":       {"containers", "0", "volume_mounts", "/all"},
	"volumes cloudsql":  {"containers", "0", "volume_mounts", "/cloudsql"},
	"volumes disk":      {"containers", "0", "volume_mounts", "/disk"},
	"volumes keys":      {"containers", "0", "volume_mounts", "/keys"},
	"volumes models":    {"containers", "0", "volume_mounts", "/models"},
	"volumes scratch":   {"containers", "0", "volume_mounts", "/scratch"},
	"volumes share":     {"containers", "0", "volume_mounts", "/share"},
	"containers 0 name": {"run", "container"},
	"containers 1":      {"containers", "0", "depends_on"},
	"containers 1 name": {"containers", "0", "depends_on"},
}

// Every value of a job may be known only after another resource is made, and every one that is optional may go again, or turn
// out to be absent. In the end the job is always what it would be had the value been there, or not been there, all along.
func TestAccEachValue(t *testing.T) {
	t.Parallel()
	for kind, base := range jobs(t) {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			stage := acctest.Start(t, plenty...)
			stage.EmulatorOnly()
			each{stage: stage, base: base, kind: kind}.run(t)
		})
	}
}

type each struct {
	stage *acctest.Stage
	base  body
	kind  string
}

func (e each) run(t *testing.T) {
	t.Helper()
	later, absent, turnsOut := map[string]body{}, map[string]body{}, map[string]body{}
	values := map[string]any{}
	for _, p := range e.base.values() {
		if p[0] == "name" || p[0] == elsewhere[e.kind] {
			continue
		}
		name := e.kind + "-" + p.String()
		values[name] = e.base.at(p)
		output := fmt.Sprintf("terraform_data.values.output[%q]", name)
		later[name] = e.base.with(p, "${"+output+"}").called(name)
		a, entry := attributeAt(p)
		if stays[e.kind+" "+strings.Join(p, " ")] || (!a.IsOptional() && !entry) {
			continue
		}
		absent[name] = e.base.without(p, goesWith[strings.Join(p, " ")]).called(name)
		turnsOut[name] = absent[name]
		if !entry { // an entry of a collection cannot be null
			turnsOut[name] = absent[name].with(p, "${terraform_data.values.id == \"\" ? "+output+" : null}")
		}
	}
	later["reference"] = e.base.called("reference")
	data := map[string]any{"terraform_data": map[string]any{"values": map[string]any{"input": values}}}

	cli := e.stage.CLI(map[string]string{"main.tf.json": module(t, later, data)})
	cli.Must("apply", "-auto-approve")
	cli.Must("plan", "-detailed-exitcode")
	want := configured(e.stage.Job("reference"))
	for name := range values {
		e.same(t, name+", known later", want, configured(e.stage.Job(name)))
	}

	cli.Write("main.tf.json", module(t, absent, data))
	printed := cli.Must("apply", "-auto-approve", "-no-color")
	if !strings.Contains(printed, " 0 added") {
		t.Errorf("a job was replaced:\n%s", printed)
	}
	cli.Must("plan", "-detailed-exitcode")
	gone := map[string]*runpb.Job{}
	for name := range absent {
		gone[name] = configured(e.stage.Job(name))
	}
	cli.Must("destroy", "-auto-approve")

	cli.Write("main.tf.json", module(t, turnsOut, data))
	cli.Must("apply", "-auto-approve")
	cli.Must("plan", "-detailed-exitcode")
	for name := range turnsOut {
		e.same(t, name+", gone", configured(e.stage.Job(name)), gone[name])
	}
}

func (e each) same(t *testing.T, what string, want, got *runpb.Job) {
	t.Helper()
	if diff := cmp.Diff(spelledAlike(want), spelledAlike(got), protocmp.Transform(), protocmp.IgnoreEmptyMessages()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// spelledAlike writes whole vCPU without thousandths: a value that only its spelling tells from the one before keeps that.
func spelledAlike(j *runpb.Job) *runpb.Job {
	out := proto.CloneOf(j)
	for _, c := range task(out).GetContainers() {
		if cpu, ok := c.GetResources().GetLimits()["cpu"]; ok {
			c.Resources.Limits["cpu"] = strings.TrimSuffix(cpu, "000m")
		}
	}
	return out
}

// The jobs together have every attribute that can be written, so that a new one is tried as well.
func TestTheJobsOfTheTestsHaveEveryAttribute(t *testing.T) {
	t.Parallel()
	written := map[string]bool{}
	for _, base := range jobs(t) {
		for _, p := range base.values() {
			written[pattern(p)] = true
		}
	}
	for _, attribute := range attributes() {
		if !written[attribute] {
			t.Errorf("no job of the tests has %s", attribute)
		}
	}
}

// pattern is a place with [] for every element of a collection: containers[].env.
func pattern(p place) string {
	var out strings.Builder
	for i := range p {
		if _, entry := attributeAt(p[:i+1]); entry {
			out.WriteString("[]")
			continue
		}
		if i > 0 {
			out.WriteByte('.')
		}
		out.WriteString(p[i])
	}
	return out.String()
}

// attributes are the patterns of all attributes that can be written, also those that contain others.
func attributes() []string {
	var out []string
	var walk func(at string, attributes map[string]schema.Attribute)
	walk = func(at string, attributes map[string]schema.Attribute) {
		for _, name := range sortedKeys(attributes) {
			a := attributes[name]
			if a.IsOptional() || a.IsRequired() {
				out = append(out, at+name)
			}
			switch of := a.(type) {
			case schema.SingleNestedAttribute:
				walk(at+name+".", of.Attributes)
			case schema.ListNestedAttribute:
				walk(at+name+"[].", of.NestedObject.Attributes)
			case schema.MapNestedAttribute:
				walk(at+name+"[].", of.NestedObject.Attributes)
			}
		}
	}
	walk("", jobSchema().Attributes)
	return out
}
