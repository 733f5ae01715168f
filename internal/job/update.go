package job

import (
	"context"
	"time"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
)

// Update changes the job in place: it reads the job, merges what is not ours, and sends the whole with the etag of that
// read. A change of what Terraform alone knows sends nothing. Then it runs the job, where that is due.
func (r *Resource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan, state Model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	before, diags := readNote(ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	timeout, diags := plan.Timeouts.Update(ctx, changeTimeout)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	name := plan.jobName()
	resp.Diagnostics.Append(setIdentity(ctx, resp.Identity, name)...)
	now, due := before, runDue(plan, state, before.Run)
	now.Run = before.Run.planned(due, runChanges(plan, state))
	// Written before anything is done: an update that fails half-way must not forget the run.
	resp.Diagnostics.Append(writeNote(ctx, resp.Private, now)...)

	made, now, diags := r.change(ctx, timeout, change{plan: plan, state: state, before: now})
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	if due {
		made, now, diags = r.runJob(ctx, made, now)
		resp.Diagnostics.Append(diags...)
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, made)...)
	resp.Diagnostics.Append(writeNote(ctx, resp.Private, now)...)
}

// change brings the job to what is planned, and returns the state and the note as they are then, without a run.
func (r *Resource) change(ctx context.Context, timeout time.Duration, c change) (Model, note, diag.Diagnostics) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if !c.plan.Run.IsNull() {
		c.plan.LastRun = keptObject(c.state.LastRun, lastRunAttributes)
	}
	if sameRequest(c.plan, c.state) {
		c.plan.UID, c.plan.CreateTime = c.state.UID, c.state.CreateTime
		return c.plan, c.before, nil
	}
	name := c.plan.jobName()
	job, sent, err := r.replaceJob(ctx, c)
	if err != nil {
		return c.plan, c.before, diagnose.Refused(diagnose.UpdateFailed, name, sent, err)
	}
	return settled(c.plan, job, name), noteOf(job, c.before), diagnose.NotReadyYet(name, job)
}

// change is an update on its way: from the state that was planned against to the plan.
type change struct {
	plan, state Model
	before      note
}

// replaceJob reads, merges and sends. When somebody else writes in between, it reads once more and goes on only if
// what we manage is still what was planned against: a change of foreign labels is merged, a change of ours is not undone.
// It returns the job as it is then, and what was sent.
func (r *Resource) replaceJob(ctx context.Context, c change) (job, sent *runpb.Job, err error) {
	name := c.plan.jobName()
	for attempt := 1; ; attempt++ {
		current, err := r.data.Run.GetJob(ctx, name)
		if err != nil {
			return nil, sent, err
		}
		if c.overtaken(current) {
			return nil, sent, diagnose.ErrOvertaken{Modifier: current.GetLastModifier(), At: current.GetUpdateTime().AsTime()}
		}
		sent = expandJob(c.plan, ownedBy(c.state), current, r.data.Version)
		operation, err := r.data.Run.UpdateJob(ctx, sent)
		if fault.IsConflict(err) && attempt == 1 {
			continue
		}
		if err != nil {
			return nil, sent, err
		}
		job, err = r.await(ctx, name, operation)
		return job, sent, err
	}
}

// overtaken is true where the job was changed since it was planned against, in something that we manage, and not to what is
// planned.
func (c change) overtaken(current *runpb.Job) bool {
	if c.before.Generation == 0 || current.GetGeneration() == c.before.Generation {
		return false
	}
	return !seenAs(c.state, current) && !seenAs(c.plan, current)
}

// seenAs is true where a job is what the model asks for, as far as the model covers it.
func seenAs(m Model, job *runpb.Job) bool {
	return sameRequest(flattenJob(job, m.jobName(), m, ownership{}), m)
}
