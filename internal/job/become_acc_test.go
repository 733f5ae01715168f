package job_test

import (
	"strings"
	"testing"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/acctest"
)

// Any job becomes any other in one apply, in place, and is then what it would be had it been made so. From one with
// everything to one with next to nothing, nothing is left.
func TestAccAJobBecomesAnyOther(t *testing.T) {
	t.Parallel()
	stage := acctest.Start(t, plenty...)
	stage.EmulatorOnly()
	swapped := bodyOf(t, fullJob)
	containers, _ := swapped["containers"].([]any)
	swapped = swapped.with(place{"containers"}, []any{containers[1], containers[0]})
	fresh := map[string]body{
		"least": {"containers": []any{map[string]any{"image": "us-docker.pkg.dev/cloudrun/container/job:latest"}}},
		"full":  bodyOf(t, fullJob), "other": bodyOf(t, otherJob), "swapped": swapped,
	}
	for name, b := range fresh {
		fresh[name] = b.called(name)
	}
	cli := stage.CLI(map[string]string{"main.tf.json": module(t, fresh, nil)})
	cli.Must("apply", "-auto-approve")
	want := map[string]*runpb.Job{}
	for name := range fresh {
		want[name] = configured(stage.Job(name))
	}

	route := []string{"least", "full", "other", "full", "swapped", "least", "other", "swapped", "full", "least"}
	for i, name := range route {
		cli.Write("main.tf.json", module(t, map[string]body{"traveller": fresh[name].called("traveller")}, nil))
		printed := cli.Must("apply", "-auto-approve", "-no-color")
		if i > 0 && !strings.Contains(printed, "0 added, 1 changed, 0 destroyed") {
			t.Errorf("%s did not become %s in place:\n%s", route[i-1], name, printed)
		}
		got := configured(stage.Job("traveller"))
		if diff := cmp.Diff(spelledAlike(want[name]), spelledAlike(got), protocmp.Transform(), protocmp.IgnoreEmptyMessages()); diff != "" {
			t.Errorf("stop %d, %s (-made so +became so):\n%s", i, name, diff)
		}
		cli.Must("plan", "-detailed-exitcode")
	}
}
