package job

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
)

// ModifyPlan fills in what can be known before apply (defaults of the provider, sizes, labels, peaks), refuses what is
// protected, and checks the GPUs at once against the project's quota.
func (r *Resource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	var prior *Model
	if !req.State.Raw.IsNull() {
		prior = &Model{}
		resp.Diagnostics.Append(req.State.Get(ctx, prior)...)
	}
	if resp.Diagnostics.HasError() || r.data == nil {
		return
	}
	if req.Plan.Raw.IsNull() {
		resp.Diagnostics.Append(protect(prior, "destroy")...)
		return
	}
	var config, plan Model
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}

	planned := r.complete(config, plan, prior)
	resp.Diagnostics.Append(r.missingDefaults(planned)...)
	resp.RequiresReplace = replacedBy(prior, planned)
	if len(resp.RequiresReplace) > 0 {
		resp.Diagnostics.Append(protect(prior, "replace")...)
	}
	lastRun, diags := planRun(ctx, req, planned, prior, len(resp.RequiresReplace) > 0)
	resp.Diagnostics.Append(diags...)
	planned.LastRun = lastRun
	setChanged(ctx, plan, planned, resp)
	if resp.Diagnostics.HasError() {
		return
	}
	if config.Location.IsNull() {
		// The location came from the provider, so that the check of the configuration alone could not see it.
		resp.Diagnostics.Append(checkRegion(planned, r.catalogue())...)
	}
	resp.Diagnostics.Append(r.checkNewType(ctx, planned, prior)...)
	if !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(r.checkQuota(ctx, planned, prior, len(resp.RequiresReplace) > 0)...)
	}
	if !resp.Diagnostics.HasError() && req.Config.Raw.IsFullyKnown() && known(planned.ID) {
		resp.Diagnostics.Append(r.askAPI(ctx, planned, prior, len(resp.RequiresReplace) > 0)...)
	}
}

// complete adds to the plan what the provider and the catalogue know.
func (r *Resource) complete(config, plan Model, prior *Model) Model {
	plan.Project = orDefault(config.Project, r.data.Project, prior, func(m *Model) types.String { return m.Project })
	plan.Location = orDefault(config.Location, r.data.Region, prior, func(m *Model) types.String { return m.Location })
	plan.ID = types.StringUnknown()
	if known(plan.Project) && known(plan.Location) && known(plan.Name) {
		plan.ID = types.StringValue(plan.jobName().String())
	}
	plan.EffectiveLabels = effectiveLabels(r.data.DefaultLabels, config.Labels)
	if written, ok := config.containers(); ok {
		containers, _ := plan.containers()
		g, hasGPU := config.gpu()
		plan.Containers = containerList(fillResources(containers, written, g, hasGPU, r.catalogue()))
	}
	return withPeaks(plan)
}

// orDefault is what is written, else the provider's default, else what the job has: a provider that has lost its default
// since is no reason to move a job.
func orDefault(written, fallback types.String, prior *Model, of func(*Model) types.String) types.String {
	if !written.IsNull() {
		return written
	}
	if fallback.IsNull() && prior != nil {
		return of(prior)
	}
	return fallback
}

// missingDefaults says what neither the resource nor the provider names.
func (r *Resource) missingDefaults(m Model) diag.Diagnostics {
	var diags diag.Diagnostics
	if m.Project.IsNull() {
		diags.Append(diagnose.NoProject(path.Root("project")))
	}
	if m.Location.IsNull() {
		diags.Append(diagnose.NoLocation(path.Root("location")))
	}
	return diags
}

func effectiveLabels(defaults, own types.Map) types.Map {
	if !fullyKnown(defaults) || !fullyKnown(own) {
		return types.MapUnknown(types.StringType)
	}
	return stringMap(mergeOwned(textMap(defaults), nil, textMap(own)), types.MapNull(types.StringType))
}

// replacedBy lists the attributes that make a job another job.
func replacedBy(prior *Model, planned Model) path.Paths {
	var out path.Paths
	if prior == nil {
		return out
	}
	if !prior.Name.Equal(planned.Name) {
		out.Append(path.Root("name"))
	}
	if !prior.Location.Equal(planned.Location) {
		out.Append(path.Root("location"))
	}
	if !prior.Project.Equal(planned.Project) {
		out.Append(path.Root("project"))
	}
	return out
}

// setChanged writes back only what the provider decides, attribute by attribute: setting a whole collection would set
// what the user wrote, too.
func setChanged(ctx context.Context, before, after Model, resp *resource.ModifyPlanResponse) {
	set := func(at path.Path, was, is attr.Value) {
		if !was.Equal(is) {
			resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, at, is)...)
		}
	}
	set(path.Root("id"), before.ID, after.ID)
	set(path.Root("project"), before.Project, after.Project)
	set(path.Root("location"), before.Location, after.Location)
	set(path.Root("effective_labels"), before.EffectiveLabels, after.EffectiveLabels)
	set(path.Root("peak_gpus"), before.PeakGPUs, after.PeakGPUs)
	set(path.Root("peak_cpu"), before.PeakCPU, after.PeakCPU)
	set(path.Root("peak_memory_gib"), before.PeakMemoryGiB, after.PeakMemoryGiB)
	set(path.Root("last_run"), before.LastRun, after.LastRun)
	was, _ := before.containers()
	is, _ := after.containers()
	for i := range is {
		set(containerPath(i).AtName("resources"), was[i].Resources, is[i].Resources)
	}
}
