// Command schemajson prints what `terraform providers schema -json` says of this provider, without
// a Terraform CLI. The documentation is generated from it. An older CLI leaves out what it does not
// know (identities, list resources, actions), and so would the documentation; this command asks the
// provider itself.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/provider"
)

// address is the key under which tfplugindocs looks a provider up, whatever its namespace really is.
const address = "registry.terraform.io/hashicorp/cloudrungpu"

func main() {
	server := providerserver.NewProtocol6(provider.New("docs")())()
	if err := run(context.Background(), server, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "schemajson:", err)
		os.Exit(1)
	}
}

// run asks server for all its schemas and writes them to w.
func run(ctx context.Context, server tfprotov6.ProviderServer, w io.Writer) error {
	schemas, err := server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return fmt.Errorf("ask for the provider's schemas: %w", err)
	}
	if err := errorsIn(schemas.Diagnostics); err != nil {
		return fmt.Errorf("the provider's schemas: %w", err)
	}
	identities, err := server.GetResourceIdentitySchemas(ctx, &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		return fmt.Errorf("ask for the identity schemas: %w", err)
	}
	if err := errorsIn(identities.Diagnostics); err != nil {
		return fmt.Errorf("the identity schemas: %w", err)
	}
	document, err := providerSchema(schemas, identities)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(tfjson.ProviderSchemas{
		FormatVersion: "1.0",
		Schemas:       map[string]*tfjson.ProviderSchema{address: document},
	})
}

// errorsIn returns the errors among diagnostics as one, or nil.
func errorsIn(diagnostics []*tfprotov6.Diagnostic) error {
	var messages []string
	for _, d := range diagnostics {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			messages = append(messages, d.Summary+": "+d.Detail)
		}
	}
	if len(messages) == 0 {
		return nil
	}
	return fmt.Errorf("%s", strings.Join(messages, "; "))
}
