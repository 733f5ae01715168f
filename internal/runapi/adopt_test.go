package runapi

import (
	"testing"

	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/protobuf/proto"
)

func TestCarries(t *testing.T) {
	container := func(j *runpb.Job) *runpb.Container { return j.Template.Template.Containers[0] }
	for _, tc := range []struct {
		name   string
		change func(found *runpb.Job)
		want   bool
	}{
		{"the same", func(*runpb.Job) {}, true},
		{"what the API fills in", func(j *runpb.Job) {
			j.Name, j.Uid, j.Etag, j.Generation, j.LaunchStage = "n", "u", "e", 1, 4
			j.Labels["added"] = "x"
			j.Template.Template.ServiceAccount = "x@y"
			container(j).Name = "container-0"
			container(j).Resources.Limits["extra"] = "1"
		}, true},
		{"a label is gone", func(j *runpb.Job) { delete(j.Labels, "team") }, false},
		{"a label is another", func(j *runpb.Job) { j.Labels["team"] = "web" }, false},
		{"another number", func(j *runpb.Job) { j.Template.TaskCount = 3 }, false},
		{"a zero that was sent and is gone", func(j *runpb.Job) { j.Template.Template.Retries = &runpb.TaskTemplate_MaxRetries{MaxRetries: 3} }, false},
		{"no template", func(j *runpb.Job) { j.Template = nil }, false},
		{"one container more", func(j *runpb.Job) {
			j.Template.Template.Containers = append(j.Template.Template.Containers, &runpb.Container{})
		}, false},
		{"another value deep inside", func(j *runpb.Job) { container(j).Env[0].Values = nil }, false},
		{"another client", func(j *runpb.Job) { j.Client = "gcloud" }, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			found := proto.CloneOf(gpuJob())
			tc.change(found)
			if got := carries(found, gpuJob()); got != tc.want {
				t.Errorf("carries = %v, want %v", got, tc.want)
			}
		})
	}
}
