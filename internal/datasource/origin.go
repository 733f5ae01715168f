package datasource

import (
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/gpu"
)

// origin says where and since when a value of the catalogue is known.
type origin struct {
	Source     string `tfsdk:"source"`
	SourceDate string `tfsdk:"source_date"`
	Certainty  string `tfsdk:"certainty"`
}

func originOf(source, date string, certainty gpu.Certainty) origin {
	return origin{Source: source, SourceDate: date, Certainty: string(certainty)}
}

// withOrigin adds the attributes of origin to those of an object.
func withOrigin(attributes map[string]schema.Attribute) map[string]schema.Attribute {
	all := map[string]schema.Attribute{
		"source": schema.StringAttribute{
			Computed:            true,
			MarkdownDescription: "Where this is known from: the address of a page, or words that say who said so.",
		},
		"source_date": schema.StringAttribute{
			Computed:            true,
			MarkdownDescription: "The newest day on which the source is known to have said it, as `YYYY-MM-DD`.",
		},
		"certainty": schema.StringAttribute{
			Computed: true,
			MarkdownDescription: "How well it is known: `certain` (read at the source), `likely` (a second-hand report, or put together from certain " +
				"facts) or `unknown` (nobody has said; the value is a stand-in).",
		},
	}
	maps.Copy(all, attributes)
	return all
}
