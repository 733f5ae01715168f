package provider

import (
	"context"
	"fmt"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Server is the provider as Terraform speaks to it.
func Server(version string, options ...Option) (tfprotov6.ProviderServer, error) {
	plain := providerserver.NewProtocol6(New(version, options...)())()
	complete, ok := plain.(frameworkServer)
	if !ok {
		return nil, fmt.Errorf("the plugin framework serves %T, which lacks list resources or actions", plain)
	}
	return server{frameworkServer: complete, types: sync.OnceValue(func() map[string]tftypes.Type { return resourceTypes(complete) })}, nil
}

// resourceTypes are the types of the values of all resources, by name; none where the schema has a fault, which Terraform hears
// of when it asks for the schema itself.
func resourceTypes(of tfprotov6.ProviderServer) map[string]tftypes.Type {
	types := map[string]tftypes.Type{}
	schemas, err := of.GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return types
	}
	for name, schema := range schemas.ResourceSchemas {
		types[name] = schema.ValueType()
	}
	return types
}

// frameworkServer is everything that the plugin framework can serve.
type frameworkServer interface {
	tfprotov6.ProviderServerWithListResource //nolint:staticcheck // deprecated until the library folds it into ProviderServer
	tfprotov6.ProviderServerWithActions      //nolint:staticcheck // deprecated until the library folds it into ProviderServer
}

// server is the framework's, but for the form in which it writes numbers after a read, and for how it reads objects that are
// not known yet.
type server struct {
	frameworkServer
	types func() map[string]tftypes.Type // of resources
}

// ReadResource writes the numbers of the state as text. Terraform 1.10 and 1.11 compare a refreshed state with the one on
// disk by how its numbers are held in memory, and a number that came as text is held as one from disk is: with binary numbers
// `terraform plan -refresh-only -detailed-exitcode` reports a change where there is none
// (https://github.com/hashicorp/terraform/issues/36403). To every CLI both are the same number.
func (s server) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	resp, err := s.frameworkServer.ReadResource(ctx, req)
	if err != nil || resp == nil || resp.NewState == nil || len(resp.NewState.MsgPack) == 0 {
		return resp, err
	}
	text, err := numbersAsText(resp.NewState.MsgPack)
	if err != nil {
		return nil, fmt.Errorf("writing the state that was read: %w", err)
	}
	resp.NewState = &tfprotov6.DynamicValue{MsgPack: text}
	return resp, nil
}
