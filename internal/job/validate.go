package job

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/gpu"
)

// configuration is what the offline rules look at: the model, opened up, and the catalogue.
type configuration struct {
	Model
	gpu        GPU
	hasGPU     bool
	containers []Container // empty while the list is unknown
	catalogue  *gpu.Catalogue
}

// rules are the checks that need no network. Each is silent about what is absent or not known yet, and reports all it
// finds; none relies on another having passed.
var rules = []func(configuration) diag.Diagnostics{
	checkGPUType,
	checkGPUCount,
	checkZonalRedundancy,
	checkGPUHolder,
	checkGPURegion,
	checkSizes,
	checkTotals,
	checkTaskTimeout,
	checkParallelism,
	checkContainerNames,
	checkEnv,
	checkVolumeSources,
	checkMounts,
	checkCaches,
	checkDiskStage,
	checkProbes,
	checkDependencies,
	checkVPCAccess,
	checkBinaryAuthorization,
	checkLibraryPath,
	checkRun,
	checkRunTasks,
}

// ValidateConfig runs the offline rules. Terraform calls it at validate, and again at plan and apply with more values known.
func (r *Resource) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	var config Model
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(validate(config, r.catalogue())...)
}

func validate(m Model, catalogue *gpu.Catalogue) diag.Diagnostics {
	c := configuration{Model: m, catalogue: catalogue}
	c.gpu, c.hasGPU = m.gpu()
	c.containers, _ = m.containers()
	var diags diag.Diagnostics
	for _, rule := range rules {
		diags.Append(rule(c)...)
	}
	return diags
}

// gpuType looks up the type of the GPU; false where there is none, or it is unknown to us or unknown yet.
func (c configuration) gpuType() (*gpu.Type, bool) {
	if !c.hasGPU || !known(c.gpu.Type) || c.catalogue.IsUndecided() {
		return nil, false
	}
	return c.catalogue.Type(c.gpu.Type.ValueString())
}

func gpuPath(attribute string) path.Path { return path.Root("gpu").AtName(attribute) }

func containerPath(i int) path.Path { return path.Root("containers").AtListIndex(i) }
