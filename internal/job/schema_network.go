package job

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

func vpcAccessSchema() schema.Attribute {
	return schema.SingleNestedAttribute{
		Optional: true,
		MarkdownDescription: "How tasks reach a VPC network: through a `connector`, or directly with `network`, `subnetwork` or both. Default: " +
			"absent, not at all.",
		Attributes: map[string]schema.Attribute{
			"connector": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "A Serverless VPC Access connector: `projects/PROJECT/locations/REGION/connectors/NAME`. Not together with " +
					"`network` or `subnetwork`. Default: absent.",
				Validators: []validator.String{connectorForm},
			},
			"network": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Network, by name or in full. Default: absent, the network of `subnetwork`.",
				Validators:          []validator.String{stringvalidator.LengthAtLeast(1)},
			},
			"subnetwork": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Subnetwork, by name or in full; it must have a free address for every task that runs at once. Default: " +
					"absent, the subnetwork with the name of `network`.",
				Validators: []validator.String{stringvalidator.LengthAtLeast(1)},
			},
			"network_tags": schema.ListAttribute{
				Optional: true, ElementType: types.StringType,
				MarkdownDescription: "Network tags of the tasks, for firewall rules. Only with `network` or `subnetwork`. Default: none.",
				Validators:          []validator.List{listvalidator.NoNullValues()},
			},
			"egress": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "What goes through the network: `PRIVATE_RANGES_ONLY` or `ALL_TRAFFIC`. Default: absent, " +
					"`PRIVATE_RANGES_ONLY`.",
				Validators: []validator.String{stringvalidator.OneOf("PRIVATE_RANGES_ONLY", "ALL_TRAFFIC")},
			},
		},
	}
}

func binaryAuthorizationSchema() schema.Attribute {
	return schema.SingleNestedAttribute{
		Optional:            true,
		MarkdownDescription: "Which images may run: exactly one of `use_default` and `policy`. Default: absent, not checked.",
		Attributes: map[string]schema.Attribute{
			"use_default": schema.BoolAttribute{
				Optional:            true,
				MarkdownDescription: "Whether the policy of the project applies: `true`, or absent when `policy` is set. Default: absent.",
			},
			"policy": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "A platform policy: `projects/PROJECT/platforms/cloudRun/NAME`. Default: absent.",
				Validators:          []validator.String{policyForm},
			},
			"breakglass_justification": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Reason for running an image that the policy forbids; it goes into the audit log. Default: absent.",
				Validators:          []validator.String{stringvalidator.LengthAtLeast(1)},
			},
		},
	}
}
