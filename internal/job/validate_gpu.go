package job

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/gpu"
)

// checkGPUType refuses a GPU type that is not in the catalogue; a near miss gets the right name. A user with a catalogue of their
// own may be ahead of it: then the plan asks Cloud Quotas, see checkNewType.
func checkGPUType(c configuration) (diags diag.Diagnostics) {
	if _, ok := c.gpuType(); ok || !c.hasGPU || !known(c.gpu.Type) || c.catalogue.Extended() {
		return nil
	}
	return unknownType(c.gpu.Type.ValueString(), c.catalogue)
}

func unknownType(written string, catalogue *gpu.Catalogue) (diags diag.Diagnostics) {
	m := diagnose.Message{
		What: fmt.Sprintf("Cloud Run jobs have no GPU type %q.", shorten(written)),
		Do:   "Write one of: " + quoted(typeNames(catalogue)) + ".",
	}
	if near := catalogue.Nearest(written); near != "" {
		m.Do = fmt.Sprintf("Did you mean %q? The types are: %s.", near, quoted(typeNames(catalogue)))
	}
	diags.Append(diagnose.Invalid(gpuPath("type"), m))
	return diags
}

// checkGPUCount refuses a number of GPUs per task that the type does not offer.
func checkGPUCount(c configuration) (diags diag.Diagnostics) {
	t, ok := c.gpuType()
	if !ok || !known(c.gpu.Count) || slices.Contains(t.PerTask, c.gpu.Count.ValueInt64()) {
		return nil
	}
	diags.Append(diagnose.Invalid(gpuPath("count"), diagnose.Message{
		What: fmt.Sprintf("A task cannot have %d GPUs of type %s.", c.gpu.Count.ValueInt64(), t.Name),
		Why:  fmt.Sprintf("%s is offered with %s GPU per task.", t.Name, numbers(t.PerTask)),
		Do:   "Leave gpu.count out. For more GPUs at once, let more tasks run at once: raise parallelism.",
	}))
	return diags
}

// checkZonalRedundancy refuses what Cloud Run offers to services but not to jobs.
func checkZonalRedundancy(c configuration) (diags diag.Diagnostics) {
	if !c.hasGPU || !c.gpu.ZonalRedundancy.ValueBool() {
		return nil
	}
	diags.Append(diagnose.Invalid(gpuPath("zonal_redundancy"), diagnose.Message{
		What: "A job cannot have GPUs with zonal redundancy.",
		Why:  "Cloud Run offers GPU capacity in a second zone to services only.",
		Do:   "Leave gpu.zonal_redundancy out, or set it to false.",
	}))
	return diags
}

// checkGPUHolder sees that exactly one container gets the GPU.
func checkGPUHolder(c configuration) (diags diag.Diagnostics) {
	if !c.hasGPU || len(c.containers) == 0 {
		return nil
	}
	holder, ok := c.gpu.holder(c.containers)
	if !ok || holder >= 0 {
		return nil
	}
	names := containerNames(c.containers)
	if c.gpu.Container.IsNull() {
		diags.Append(diagnose.Invalid(path.Root("gpu"), diagnose.Message{
			What: fmt.Sprintf("The job has %d containers, and nothing says which one gets the GPU.", len(c.containers)),
			Why:  "A task has one GPU, and one container holds it.",
			Do:   "Set gpu.container to the name of that container" + oneOf(names) + ".",
		}))
		return diags
	}
	diags.Append(diagnose.Invalid(gpuPath("container"), diagnose.Message{
		What: fmt.Sprintf("No container has the name %q.", shorten(c.gpu.Container.ValueString())),
		Do:   "Set gpu.container to the name of a container" + oneOf(names) + ", and give that container a name if it has none.",
	}))
	return diags
}

// checkGPURegion refuses a region that does not offer the GPU type.
func checkGPURegion(c configuration) diag.Diagnostics { return checkRegion(c.Model, c.catalogue) }

func checkRegion(m Model, catalogue *gpu.Catalogue) (diags diag.Diagnostics) {
	g, hasGPU := m.gpu()
	if !hasGPU || !known(g.Type) || !known(m.Location) || catalogue.IsUndecided() {
		return nil
	}
	t, ok := catalogue.Type(g.Type.ValueString())
	if !ok || t.InRegion(m.Location.ValueString()) {
		return nil
	}
	message := diagnose.Message{
		What: fmt.Sprintf("The region %q has no %s for jobs.", shorten(m.Location.ValueString()), t.Name),
		Do:   fmt.Sprintf("Set location to a region that has %s: %s.", t.Name, strings.Join(catalogue.RegionsOf(t.Name), ", ")),
	}
	if region, ok := catalogue.Region(m.Location.ValueString()); ok {
		message.Do += fmt.Sprintf(" Or stay, with another GPU: %s has %s.", region.Name, strings.Join(region.Types, ", "))
	}
	diags.Append(diagnose.ErrorAt(path.Root("location"), diagnose.GPUNotInRegion, message))
	return diags
}

func typeNames(catalogue *gpu.Catalogue) []string {
	var out []string
	for _, t := range catalogue.Types() {
		out = append(out, t.Name)
	}
	return out
}

func containerNames(containers []Container) []string {
	var out []string
	for _, c := range containers {
		if name := c.Name.ValueString(); name != "" {
			out = append(out, name)
		}
	}
	return out
}

func quoted(words []string) string { return `"` + strings.Join(words, `", "`) + `"` }

func oneOf(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return ": " + quoted(names)
}

func numbers(in []int64) string {
	words := make([]string, len(in))
	for i, n := range in {
		words[i] = fmt.Sprint(n)
	}
	return strings.Join(words, ", ")
}
