package job_test

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/acctest"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

// fullJob is a job with every attribute set, NAME in place of its name.
//
//go:embed testdata/full/main.tf
var fullJob string

const required = `
terraform {
  required_providers {
    cloudrungpu = { source = "cloudrungpu/cloudrungpu" }
  }
}
`

var plenty = []emulator.Option{
	emulator.WithQuota("nvidia-l4@*", emulator.Unlimited), emulator.WithQuota("nvidia-rtx-pro-6000@*", emulator.Unlimited),
	emulator.WithQuota("cpu@*", emulator.Unlimited), emulator.WithQuota("memory@*", emulator.Unlimited),
}

// Every attribute has a change that shows in it, so that a new one is tried as well.
func TestEveryAttributeHasAChange(t *testing.T) {
	t.Parallel()
	changed := map[string]bool{}
	for _, c := range changes {
		changed[c.attribute] = true
	}
	for _, attribute := range attributes() {
		switch why, never := unreachable[attribute]; {
		case changed[attribute] && never:
			t.Errorf("a change of %s is tried, though it cannot be: %s", attribute, why)
		case !changed[attribute] && !never:
			t.Errorf("no change behind Terraform's back is tried for %s", attribute)
		}
	}
}

// One job for each change, all changed at once: each is found in its attribute, and one apply mends them all.
func TestAccEveryChangeIsFoundAndMended(t *testing.T) {
	t.Parallel()
	bases := jobs(t)
	bases["plain"] = body{"containers": []any{map[string]any{"image": "us-docker.pkg.dev/cloudrun/container/job:latest"}}}
	bases["volumes"] = bases["volumes"].with(place{"launch_stage"}, "GA")
	for kind, base := range bases {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			stage := acctest.Start(t, plenty...)
			stage.EmulatorOnly()
			config := map[string]body{}
			for name, c := range changes {
				if c.on == kind {
					config[name] = base.called(name)
				}
			}
			foundAndMended(t, stage, config)
		})
	}
}

func foundAndMended(t *testing.T, stage *acctest.Stage, config map[string]body) {
	t.Helper()
	cli := stage.CLI(map[string]string{"main.tf.json": module(t, config, nil)})
	cli.Must("apply", "-auto-approve")
	before := map[string]*runpb.Job{}
	for name := range config {
		before[name] = stage.Job(name)
		stage.Edit(name, changes[name].make)
	}

	said := strings.Join(strings.Fields(cli.Must("plan", "-refresh-only", "-no-color", "-out=drift")), " ")
	for _, words := range []string{"Job was changed outside Terraform", "developer@example.com changed the job", "with cloud-console", "(generation 2, last seen: 1)"} {
		if !strings.Contains(said, words) {
			t.Errorf("who changed it, when and how is not said: no %q", words)
		}
	}
	drifted := driftedAttributes(t, cli.Must("show", "-json", "drift"))
	for name := range config {
		if got := drifted["cloudrungpu_job."+name]; !slices.Contains(got, changes[name].attribute) {
			t.Errorf("%s: drift in %q, want it in %s", name, got, changes[name].attribute)
		}
	}

	mended := cli.Must("apply", "-auto-approve")
	if want := fmt.Sprintf("0 added, %d changed, 0 destroyed", len(config)); !strings.Contains(mended, want) {
		t.Errorf("the apply did not say %q", want)
	}
	for name := range config {
		if diff := cmp.Diff(configured(before[name]), configured(stage.Job(name)), protocmp.Transform()); diff != "" {
			t.Errorf("%s is not what it was (-before +now):\n%s", name, diff)
		}
	}
	cli.Must("plan", "-detailed-exitcode")
}

// configured is a job without what the server decides.
func configured(j *runpb.Job) *runpb.Job {
	return &runpb.Job{
		Labels: j.GetLabels(), Annotations: j.GetAnnotations(), LaunchStage: j.GetLaunchStage(),
		BinaryAuthorization: j.GetBinaryAuthorization(), Template: proto.CloneOf(j.GetTemplate()),
	}
}

// driftedAttributes lists, by address, the attributes in which a plan found changes.
func driftedAttributes(t *testing.T, plan string) map[string][]string {
	t.Helper()
	var shown struct {
		Drift []struct {
			Address string
			Change  struct{ Before, After map[string]any }
		} `json:"resource_drift"`
	}
	if err := json.Unmarshal([]byte(plan), &shown); err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for _, d := range shown.Drift {
		for _, p := range differences(nil, d.Change.Before, d.Change.After) {
			out[d.Address] = append(out[d.Address], pattern(p))
		}
	}
	return out
}

// differences are the places at which two values differ: as deep as both have something, and where an entry came or went.
func differences(at place, a, b any) []place {
	if reflect.DeepEqual(a, b) {
		return nil
	}
	if a == nil || b == nil || !nested(at) {
		return []place{at}
	}
	before, after := entries(a), entries(b)
	var out []place
	for _, key := range sortedKeys(before) {
		if _, both := after[key]; both {
			out = append(out, differences(append(slices.Clone(at), key), before[key], after[key])...)
		}
	}
	if !slices.Equal(sortedKeys(before), sortedKeys(after)) {
		out = append(out, at)
	}
	return out
}

// entries are those of an object, a map or a list.
func entries(of any) map[string]any {
	if object, ok := of.(map[string]any); ok {
		return object
	}
	out := map[string]any{}
	list, _ := of.([]any)
	for i, element := range list {
		out[strconv.Itoa(i)] = element
	}
	return out
}
