package job

import (
	"context"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
)

// askAPI asks the API for its own opinion of a job that is to be made or changed, where the provider is told to. The API
// checks and does nothing.
func (r *Resource) askAPI(ctx context.Context, planned Model, prior *Model, replaces bool) diag.Diagnostics {
	if !r.data.ValidateOnly {
		return nil
	}
	name := planned.jobName()
	if prior == nil || replaces {
		sent := expandJob(planned, owned{}, nil, r.data.Version)
		_, err := r.data.Run.CreateJob(ctx, name, sent, runapi.ValidateOnly())
		if fault.IsAlreadyExists(err) {
			// Of a job that is to be replaced on request, or because it is tainted, a plan sees only that one is to be made.
			return diag.Diagnostics{diagnose.ExistsAtPlan(name)}
		}
		return diagnose.Refused(diagnose.PlanRefused, name, sent, err)
	}
	if sameRequest(planned, *prior) {
		return nil
	}
	sent, err := r.askAboutUpdate(ctx, planned, *prior)
	return diagnose.Refused(diagnose.PlanRefused, name, sent, err)
}

func (r *Resource) askAboutUpdate(ctx context.Context, planned, prior Model) (*runpb.Job, error) {
	current, err := r.data.Run.GetJob(ctx, planned.jobName())
	if err != nil {
		return nil, err
	}
	sent := expandJob(planned, ownedBy(prior), current, r.data.Version)
	_, err = r.data.Run.UpdateJob(ctx, sent, runapi.ValidateOnly())
	return sent, err
}
