package job

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
)

const (
	libraryPath = "LD_LIBRARY_PATH"
	// driverLibraries is where Cloud Run puts the libraries of the GPU's driver. It appends the directory to LD_LIBRARY_PATH,
	// so whatever an image or a configuration puts there is searched first.
	driverLibraries = "/usr/local/nvidia/lib64"
)

// checkLibraryPath warns of a search path on which libraries of another CUDA hide those of the driver: the task then fails
// with a mismatch of versions, minutes after it got its GPU.
func checkLibraryPath(c configuration) (diags diag.Diagnostics) {
	holder, ok := c.gpu.holder(c.containers)
	if !c.hasGPU || !ok || holder < 0 {
		return nil
	}
	value, ok := c.containers[holder].Env.Elements()[libraryPath]
	if !ok || !known(value) {
		return nil
	}
	directories := strings.Split(text(value), ":")
	hiding := slices.IndexFunc(directories, func(d string) bool { return strings.Contains(strings.ToLower(d), "cuda") })
	driver := slices.Index(directories, driverLibraries)
	if hiding < 0 || (driver >= 0 && driver < hiding) {
		return nil
	}
	diags.Append(diagnose.Doubtful(containerPath(holder).AtName("env").AtMapKey(libraryPath), diagnose.Message{
		What: fmt.Sprintf("%s puts %q before the libraries of the GPU's driver.", libraryPath, shorten(directories[hiding])),
		Why:  fmt.Sprintf("Cloud Run appends %s to the path; an older libcuda found before it does not fit the driver.", driverLibraries),
		Do:   fmt.Sprintf("Leave %s out, or begin it with %s.", libraryPath, driverLibraries),
	}))
	return diags
}
