package datasource

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
)

// checkLive compares the regions of the catalogue with those that the project's quotas name. That a region in a quota really has
// the GPU, only a deployment can tell.
func (d *regions) checkLive(ctx context.Context, model *regionsModel) (diags diag.Diagnostics) {
	if model.Project.IsNull() {
		model.Project = d.data.Project
	}
	switch at := path.Root("project"); {
	case model.Project.IsNull():
		diags.Append(diagnose.NoProject(at))
		return diags
	case model.Project.IsUnknown():
		diags.Append(diagnose.ProjectNotYetKnown(at))
		return diags
	}
	project := model.Project.ValueString()
	for name, region := range model.Regions {
		region.QuotaLists = []string{}
		model.Regions[name] = region
	}
	more := map[string]bool{}
	for _, kind := range d.catalogue().Types() {
		if !model.GPUType.IsNull() && kind.Name != model.GPUType.ValueString() {
			continue
		}
		info, err := d.data.Quotas.Info(ctx, project, kind.Quota.ID)
		if err != nil {
			diags.Append(diagnose.QuotaUnread(kind.Quota.ID, project, "all regions", err))
			return diags
		}
		for _, name := range info.Regions() {
			region, known := model.Regions[name]
			if !known {
				more[name] = true
				continue
			}
			region.QuotaLists = append(region.QuotaLists, kind.Name)
			model.Regions[name] = region
		}
	}
	model.OnlyInQuota = []string{}
	for name := range more {
		model.OnlyInQuota = append(model.OnlyInQuota, name)
	}
	slices.Sort(model.OnlyInQuota)
	return diags
}
