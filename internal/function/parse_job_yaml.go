// Package function holds the functions of the provider: provider::cloudrungpu::NAME in Terraform 1.8 and newer.
package function

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/job"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/jobyaml"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
)

// parseJobYAML is the function parse_job_yaml.
type parseJobYAML struct{}

// NewParseJobYAML returns the function parse_job_yaml.
func NewParseJobYAML() function.Function { return parseJobYAML{} }

// Metadata names the function.
func (parseJobYAML) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "parse_job_yaml"
}

// Definition describes the function.
func (parseJobYAML) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "Reads the YAML of a Cloud Run job.",
		MarkdownDescription: "Reads the YAML of a job, as `gcloud run jobs describe NAME --format export` writes it, into an object in the shape of " +
			"`cloudrungpu_job`: each attribute that can be written there, null where the YAML has none. `project` is what the YAML calls the namespace, " +
			"which is the project's number in an export. A field that the resource has no place for is an error that names its line: nothing gets lost.",
		Parameters: []function.Parameter{function.StringParameter{
			Name:                "yaml",
			MarkdownDescription: "The YAML of one job (`apiVersion: run.googleapis.com/v1`, `kind: Job`), at most 1 MiB.",
		}},
		Return: function.ObjectReturn{AttributeTypes: job.WrittenAttributes()},
	}
}

// Run reads the YAML.
func (parseJobYAML) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var text string
	if resp.Error = req.Arguments.Get(ctx, &text); resp.Error != nil {
		return
	}
	parsed, err := jobyaml.Parse(text)
	if err != nil {
		resp.Error = function.NewArgumentFuncError(0, "This is no job that cloudrungpu_job can carry over:\n"+listed(err))
		return
	}
	described := job.Describe(parsed.Message, runapi.JobName{Project: parsed.Project, Location: parsed.Location, Job: parsed.Name})
	values := map[string]attr.Value{}
	for name := range job.WrittenAttributes() {
		values[name] = described[name]
	}
	for _, place := range []string{"project", "location"} {
		if values[place].Equal(types.StringValue("")) {
			values[place] = types.StringNull()
		}
	}
	object, diags := types.ObjectValue(job.WrittenAttributes(), values)
	resp.Error = function.ConcatFuncErrors(function.FuncErrorFromDiags(ctx, diags), resp.Result.Set(ctx, object))
}

// listed puts each fault on a line of its own; Terraform adds the full stop.
func listed(err error) string {
	return "- " + strings.Join(strings.Split(err.Error(), "\n"), "\n- ")
}
