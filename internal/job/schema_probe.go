package job

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

func startupProbeSchema() schema.Attribute {
	return schema.SingleNestedAttribute{
		Optional: true,
		MarkdownDescription: "When the container counts as started, for those that depend on it. Exactly one of `http_get`, `tcp_socket` and " +
			"`grpc`. Default: absent, started as soon as it runs.",
		Attributes: map[string]schema.Attribute{
			"initial_delay_seconds": probeNumber("Seconds before the first try: 0 to 240. Default: `0`.", 0, 0, 240),
			"period_seconds":        probeNumber("Seconds between tries: 1 to 240, at least `timeout_seconds`. Default: `10`.", 10, 1, 240),
			"timeout_seconds":       probeNumber("Seconds that one try may take: 1 to 240. Default: `1`.", 1, 1, 240),
			"failure_threshold": schema.Int64Attribute{
				Optional: true, Computed: true, Default: int64default.StaticInt64(3),
				MarkdownDescription: "Number of tries before the container counts as failed, at least 1. All tries together may take 600 seconds, " +
					"with a GPU 1800. Default: `3`.",
				Validators: []validator.Int64{int64validator.Between(1, probeBudgetGPU)},
			},
			"http_get": schema.SingleNestedAttribute{
				Optional:            true,
				MarkdownDescription: "Ask over HTTP: any status from 200 to 399 is a success. Default: absent.",
				Attributes: map[string]schema.Attribute{
					"path": schema.StringAttribute{
						Optional: true, Computed: true, Default: stringdefault.StaticString("/"),
						MarkdownDescription: "Path to ask for, absolute. Default: `/`.",
						Validators:          []validator.String{probePathForm},
					},
					"port": portSchema(),
					"headers": schema.MapAttribute{
						Optional: true, ElementType: types.StringType,
						MarkdownDescription: "Headers to send, name to value. Default: none.",
						Validators:          []validator.Map{mapvalidator.NoNullValues()},
					},
				},
			},
			"tcp_socket": schema.SingleNestedAttribute{
				Optional:            true,
				MarkdownDescription: "Open a TCP connection. Default: absent.",
				Attributes:          map[string]schema.Attribute{"port": portSchema()},
			},
			"grpc": schema.SingleNestedAttribute{
				Optional:            true,
				MarkdownDescription: "Ask the gRPC health service. Default: absent.",
				Attributes: map[string]schema.Attribute{
					"port": portSchema(),
					"service": schema.StringAttribute{
						Optional:            true,
						MarkdownDescription: "Service to ask for. Default: absent, the server as a whole.",
					},
				},
			},
		},
	}
}

func probeNumber(description string, byDefault, least, most int64) schema.Attribute {
	return schema.Int64Attribute{
		Optional: true, Computed: true, Default: int64default.StaticInt64(byDefault),
		MarkdownDescription: description,
		Validators:          []validator.Int64{int64validator.Between(least, most)},
	}
}

func portSchema() schema.Attribute {
	return schema.Int64Attribute{
		Optional: true, Computed: true, Default: int64default.StaticInt64(defaultPort),
		MarkdownDescription: "Port of the container: 1 to 65535. Default: `8080`.",
		Validators:          []validator.Int64{int64validator.Between(1, 65535)},
	}
}
