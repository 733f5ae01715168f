package job

import (
	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"google.golang.org/protobuf/proto"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
)

// drift says who changed the job behind Terraform's back, and when. An import is none, nor is a job that nobody has seen whole.
func drift(now Model, before note, job *runpb.Job) diag.Diagnostics {
	if before.Generation == 0 || before.Imported {
		return nil
	}
	return diag.Diagnostics{diagnose.Drifted(now.jobName(), job, before.Generation)}
}

// sameRequest is true where two models ask the same of the API, however they are spelled.
func sameRequest(a, b Model) bool {
	return proto.Equal(expandJob(a, owned{}, nil, ""), expandJob(b, owned{}, nil, ""))
}
