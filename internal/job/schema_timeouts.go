package job

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

// timeoutsSchema is that of the library with words of its own; the library has none for the attribute as a whole.
func timeoutsSchema() schema.Attribute {
	attribute := timeouts.Attributes(context.Background(), timeouts.Opts{
		Create: true, Read: true, Update: true, Delete: true,
		CreateDescription: "How long a create may take, retries included: a duration such as `30m`. Default: " + defaultTimeout + ".",
		ReadDescription:   "How long a read may take, retries included: a duration such as `30s`. Default: 5 minutes.",
		UpdateDescription: "How long an update may take, retries included: a duration such as `30m`. Default: " + defaultTimeout + ".",
		DeleteDescription: "How long a delete may take, retries included: a duration such as `30m`. Default: " + defaultTimeout + ".",
	})
	if nested, ok := attribute.(schema.SingleNestedAttribute); ok {
		nested.MarkdownDescription = "How long Terraform waits for the API, by what it does. Default: the default of each."
		return nested
	}
	return attribute
}
