package acctest

import (
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Recorder passes on what Terraform asks of a provider, and keeps the diagnostics of the answers: Terraform itself prints
// where in a file they are, and not the attribute that they are about.
type Recorder struct {
	tfprotov6.ProviderServer

	mu    sync.Mutex
	diags []*tfprotov6.Diagnostic
}

// Diagnostics are those that the provider has given so far, of itself and of resources.
func (r *Recorder) Diagnostics() []*tfprotov6.Diagnostic {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]*tfprotov6.Diagnostic(nil), r.diags...)
}

func (r *Recorder) keep(diags []*tfprotov6.Diagnostic) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.diags = append(r.diags, diags...)
}

// ValidateResourceConfig passes on.
func (r *Recorder) ValidateResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	resp, err := r.ProviderServer.ValidateResourceConfig(ctx, req)
	if err == nil {
		r.keep(resp.Diagnostics)
	}
	return resp, err
}

// PlanResourceChange passes on.
func (r *Recorder) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	resp, err := r.ProviderServer.PlanResourceChange(ctx, req)
	if err == nil {
		r.keep(resp.Diagnostics)
	}
	return resp, err
}

// ValidateProviderConfig passes on.
func (r *Recorder) ValidateProviderConfig(
	ctx context.Context, req *tfprotov6.ValidateProviderConfigRequest,
) (*tfprotov6.ValidateProviderConfigResponse, error) {
	resp, err := r.ProviderServer.ValidateProviderConfig(ctx, req)
	if err == nil {
		r.keep(resp.Diagnostics)
	}
	return resp, err
}

// ConfigureProvider passes on.
func (r *Recorder) ConfigureProvider(ctx context.Context, req *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	resp, err := r.ProviderServer.ConfigureProvider(ctx, req)
	if err == nil {
		r.keep(resp.Diagnostics)
	}
	return resp, err
}

// ApplyResourceChange passes on.
func (r *Recorder) ApplyResourceChange(
	ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	resp, err := r.ProviderServer.ApplyResourceChange(ctx, req)
	if err == nil {
		r.keep(resp.Diagnostics)
	}
	return resp, err
}
