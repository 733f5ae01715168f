package diagnose

import (
	"strings"
	"testing"

	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/grpc/codes"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
)

var sentJob = &runpb.Job{Template: &runpb.ExecutionTemplate{Template: &runpb.TaskTemplate{
	Volumes: []*runpb.Volume{{Name: "a"}, {Name: "models"}},
	Containers: []*runpb.Container{{
		Env: []*runpb.EnvVar{
			{Name: "MODEL"},
			{Name: "TOKEN", Values: &runpb.EnvVar_ValueSource{ValueSource: &runpb.EnvVarSource{}}},
		},
		VolumeMounts: []*runpb.VolumeMount{{MountPath: "/models"}},
	}},
}}}

func TestFieldsOfTheAPIAreAttributes(t *testing.T) {
	t.Parallel()
	for field, want := range map[string]string{
		"template.template.containers[0].resources.limits.memory":                  "containers[0].resources.memory",
		"template.template.containers[2].resources.limits.nvidia.com/gpu":          "gpu.count",
		"Violation in CreateJobRequest.job.template.template.containers[0].image":  "containers[0].image",
		"Violation in UpdateJobRequest.job.template.template.vpc_access.connector": "vpc_access.connector",
		"template.template.vpcAccess.networkInterfaces[0].tags":                    "vpc_access.network_tags",
		"template.template.vpc_access.network_interfaces":                          "vpc_access",
		"template.template.containers[0].env[0].value":                             `containers[0].env["MODEL"]`,
		"template.template.containers[0].env[1].valueSource.secretKeyRef.version":  `containers[0].secret_env["TOKEN"]`,
		"template.template.containers[0].env[9]":                                   "containers[0].env",
		"template.template.containers[0].volumeMounts[0].mountPath":                `containers[0].volume_mounts["/models"]`,
		"template.template.containers[0].startup_probe.period_seconds":             "containers[0].startup_probe",
		"template.template.volumes[1].gcs.bucket":                                  `volumes["models"].gcs`,
		"template.template.volumes[1]":                                             `volumes["models"]`,
		"template.template.volumes[9].gcs":                                         "volumes",
		"template.template.nodeSelector.accelerator":                               "gpu.type",
		"template.template.gpu_zonal_redundancy_disabled":                          "gpu.zonal_redundancy",
		"template.template.max_retries":                                            "max_retries",
		"template.template.timeout":                                                "task_timeout",
		"template.parallelism":                                                     "parallelism",
		"template.task_count":                                                      "task_count",
		"template.labels":                                                          "execution_labels",
		"annotations":                                                              "annotations",
		"launchStage":                                                              "launch_stage",
		"spec.template.spec.parallelism":                                           "parallelism",
		"spec.template.spec.task_spec.containers[1].resources.limits.cpu":          "containers[1].resources.cpu",
		"spec.template.metadata.annotations":                                       "",
		"template.template.execution_environment":                                  "",
		"": "",
		"template.template.containers[99999999999999999999].image": "",
	} {
		if got := attributeOf(field, sentJob).String(); got != want {
			t.Errorf("%s is at %q, want %q", field, got, want)
		}
	}
}

func TestARefusalIsSaidAtEachAttribute(t *testing.T) {
	t.Parallel()
	f := &fault.Fault{Code: codes.InvalidArgument, Message: "two things", Violations: []fault.Violation{
		{Field: "template.template.max_retries", Description: "must be a number between 0 and 10"},
		{Field: "template.parallelism", Description: "Quota violated:\nMemAllocPerProjectRegion requested: 85899345920 allowed: 42949672960"},
		{Field: "template.parallelism", Description: "No.\nQuota violated:\nNvidiaL4GpuAllocNoZonalRedundancyPerProjectRegion requested: 4 allowed: 3"},
	}}
	got := Refused(CreateFailed, runapi.JobName{Project: "p", Location: "l", Job: "j"}, sentJob, f)
	if len(got) != 3 {
		t.Fatalf("got %v", got)
	}
	for i, want := range []struct{ at, says string }{
		{"max_retries", "must be a number between 0 and 10"},
		{"parallelism", "MemAllocPerProjectRegion is 40 GiB, and 80 GiB is needed"},
		{"parallelism", "Set parallelism to at most 3"},
	} {
		with, ok := got[i].(diag.DiagnosticWithPath)
		if !ok || with.Path().String() != want.at || !strings.Contains(got[i].Detail(), want.says) {
			t.Errorf("%d: got %v", i, got[i])
		}
	}
}
