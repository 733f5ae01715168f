package job

import (
	"context"
	"time"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
)

const (
	changeTimeout = 20 * time.Minute // create, update, delete
	readTimeout   = 5 * time.Minute
)

// Create makes the job. Its identity is in the state before the wait for the operation: whatever happens then, the job is
// not lost, and the next apply replaces or keeps it.
func (r *Resource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan Model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	timeout, diags := plan.Timeouts.Create(ctx, changeTimeout)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	unbounded := ctx
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()

	name := plan.jobName()
	sent := expandJob(plan, owned{}, nil, r.data.Version)
	operation, err := r.data.Run.CreateJob(ctx, name, sent)
	if err != nil {
		resp.Diagnostics.Append(diagnose.NotCreated(name, sent, err)...)
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, unfinished(plan, operation.Job(), name))...)
	resp.Diagnostics.Append(setIdentity(ctx, resp.Identity, name)...)
	if resp.Diagnostics.HasError() {
		return
	}

	job, err := r.await(ctx, name, operation)
	if err != nil {
		resp.Diagnostics.Append(diagnose.Call(diagnose.CreateFailed, name, err)...)
		return
	}
	resp.Diagnostics.Append(diagnose.NotReadyYet(name, job)...)
	made, note := settled(plan, job, name), noteOf(job, note{})
	if !plan.Run.IsNull() {
		var diags diag.Diagnostics
		made, note, diags = r.runJob(unbounded, made, note)
		// Terraform takes a job whose creation ends in an error for broken, and replaces it with the next apply.
		resp.Diagnostics.Append(diagnose.AsWarnings(diags)...)
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, made)...)
	resp.Diagnostics.Append(writeNote(ctx, resp.Private, note)...)
}

// await waits for an operation and returns the job it leaves behind, read anew only where the answer does not carry it.
func (r *Resource) await(ctx context.Context, name runapi.JobName, operation *runapi.Operation) (*runpb.Job, error) {
	job, err := operation.Wait(ctx)
	if err != nil || job.GetUid() != "" {
		return job, err
	}
	return r.data.Run.GetJob(ctx, name)
}

// settled is the state after a write: what was planned, and of the server's answer what only the server could know. Had
// the server made something else of the plan, the next read shows that as drift; an apply that ends in an
// "inconsistent result" would mark a working job as broken.
func settled(plan Model, job *runpb.Job, name runapi.JobName) Model {
	answer := flattenJob(job, name, plan, ownership{})
	plan.ID, plan.Project, plan.Location = answer.ID, answer.Project, answer.Location
	plan.UID, plan.CreateTime = answer.UID, answer.CreateTime
	if plan.EffectiveLabels.IsUnknown() {
		plan.EffectiveLabels = answer.EffectiveLabels
	}
	plan.Containers = settledContainers(plan, answer)
	if plan.LastRun.IsUnknown() {
		plan.LastRun = types.ObjectNull(lastRunAttributes)
	}
	return decidedPeaks(plan)
}

// unfinished is the state of a job whose creation was not seen to end well. Terraform marks it as tainted and replaces it
// with the next apply; were it protected from deletion, that would be a trap.
func unfinished(plan Model, job *runpb.Job, name runapi.JobName) Model {
	m := settled(plan, job, name)
	m.DeletionProtection = types.BoolValue(false)
	return m
}

// settledContainers replaces resources that were still unknown at apply by what the server chose.
func settledContainers(plan, answer Model) types.List {
	planned, _ := plan.containers()
	answered, _ := answer.containers()
	for i := range planned {
		if !planned[i].Resources.IsUnknown() && !planned[i].resources().CPU.IsUnknown() && !planned[i].resources().Memory.IsUnknown() {
			continue
		}
		planned[i].Resources = types.ObjectNull(resourcesAttributes)
		if i < len(answered) {
			planned[i].Resources = answered[i].Resources
		}
	}
	return containerList(planned)
}
