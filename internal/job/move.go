package job

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
)

// peerType is the resource of the google provider that a job can be moved from, with its history and without a call.
const peerType = "google_cloud_run_v2_job"

// MoveState takes over the state of google_cloud_run_v2_job, from the google or the google-beta provider.
func (r *Resource) MoveState(context.Context) []resource.StateMover {
	return []resource.StateMover{{StateMover: moveFromPeer}}
}

func moveFromPeer(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
	provider := req.SourceProviderAddress[strings.LastIndex(req.SourceProviderAddress, "/")+1:]
	if req.SourceTypeName != peerType || (provider != "google" && provider != "google-beta") {
		return // another mover's, or nobody's: the framework says so
	}
	if req.SourceRawState == nil {
		resp.Diagnostics.Append(diagnose.Unmovable(peerType, "there is no state"))
		return
	}
	var peer peerJob
	if err := json.Unmarshal(req.SourceRawState.JSON, &peer); err != nil {
		resp.Diagnostics.Append(diagnose.Unmovable(peerType, err.Error()))
		return
	}
	m, name, err := peer.model()
	if err != nil {
		resp.Diagnostics.Append(diagnose.Unmovable(peerType, err.Error()))
		return
	}
	resp.Diagnostics.Append(resp.TargetState.Set(ctx, m)...)
	resp.Diagnostics.Append(setIdentity(ctx, resp.TargetIdentity, name)...)
	resp.Diagnostics.Append(writeNote(ctx, resp.TargetPrivate, note{Generation: peer.generation()})...)
}

// model is the peer's state in our shape: the job as the API has it, read by the one flatten, and what is Terraform's own.
func (p peerJob) model() (Model, runapi.JobName, error) {
	name, err := runapi.ParseJobName(p.ID)
	if err != nil || name.Project == "" || name.Location == "" {
		name = runapi.JobName{Project: p.Project, Location: p.Location, Job: p.Name[strings.LastIndex(p.Name, "/")+1:]}
	}
	if name.Project == "" || name.Location == "" || name.Job == "" {
		return Model{}, name, errIncompletePeer
	}
	job, err := p.job()
	if err != nil {
		return Model{}, name, err
	}
	m := flattenJob(job, name, Model{}, ownership{all: true})
	m.Labels = stringMap(p.Labels, types.MapNull(types.StringType))
	m.Annotations = stringMap(p.Annotations, types.MapNull(types.StringType))
	m.DeletionProtection = types.BoolValue(p.DeletionProtection == nil || *p.DeletionProtection)
	m.Timeouts = p.Timeouts.value()
	return m, name, nil
}
