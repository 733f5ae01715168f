package provider

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/gpu"
)

// largestCatalogue is far above any catalogue: what is longer is another kind of file.
const largestCatalogue = 1 << 20

var _ provider.ProviderWithValidateConfig = (*cloudRunGPU)(nil)

// ValidateConfig reads the user's catalogue before the resources are validated: they are held against it, too, and Terraform does
// not configure a provider when it validates.
func (p *cloudRunGPU) ValidateConfig(ctx context.Context, req provider.ValidateConfigRequest, resp *provider.ValidateConfigResponse) {
	var given types.String
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("gpu_catalogue"), &given)...)
	if !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(p.decide(given)...)
	}
}

// catalogue is what is known of GPUs. Terraform validates no provider block that is not there: then the environment decides, and
// what is wrong with it is said when the provider is configured.
func (p *cloudRunGPU) catalogue() *gpu.Catalogue {
	if known := p.known.Load(); known != nil {
		return known
	}
	p.decide(types.StringNull())
	return p.known.Load()
}

// decide settles the catalogue for all who ask from now on; where the user's is not right, that is the built-in one.
func (p *cloudRunGPU) decide(given types.String) (diags diag.Diagnostics) {
	known := gpu.Default()
	text, origin := given.ValueString(), "`gpu_catalogue`"
	if given.IsNull() {
		var variable string
		text, variable = p.env.first(catalogueVariables)
		origin = "the environment variable " + variable
	}
	switch {
	case given.IsUnknown():
		known = known.Undecided()
	case text != "":
		extended, err := extendedBy(known, text)
		if err != nil {
			diags.Append(diagnose.Catalogue(path.Root("gpu_catalogue"), origin, err))
			break
		}
		known = extended
	}
	p.known.Store(known)
	return diags
}

// extendedBy lays the user's values over a catalogue: a text where there is more than one line, else the path of a file.
func extendedBy(base *gpu.Catalogue, given string) (*gpu.Catalogue, error) {
	if strings.Contains(given, "\n") {
		return base.With([]byte(given))
	}
	content, err := readCatalogue(expandHome(given))
	if err != nil {
		return nil, err
	}
	return base.With(content)
}

func readCatalogue(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("the file %q cannot be read: %w", name, withoutPath(err))
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%q is no file", name)
	}
	file, err := os.Open(name) //nolint:gosec // the user names the file
	if err != nil {
		return nil, fmt.Errorf("the file %q cannot be read: %w", name, withoutPath(err))
	}
	content, err := io.ReadAll(io.LimitReader(file, largestCatalogue+1))
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, fmt.Errorf("the file %q cannot be read: %w", name, withoutPath(err))
	}
	if len(content) > largestCatalogue {
		return nil, fmt.Errorf("the file %q is larger than 1 MiB, which no catalogue is", name)
	}
	return content, nil
}
