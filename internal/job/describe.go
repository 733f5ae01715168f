package job

import (
	"fmt"
	"reflect"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	data "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
)

// terraformsOwn are the attributes that no job has: they say what Terraform may do, does and has done, and how long it waits.
var terraformsOwn = map[string]bool{"deletion_protection": true, "run": true, "last_run": true, "timeouts": true}

// Read is a job as the resource would hold it: labels and annotations are all that are not of Google's systems, whoever
// wrote them; what is Terraform's own is null.
func Read(job *runpb.Job, name runapi.JobName) Model {
	return flattenJob(job, name, Model{}, ownership{all: true})
}

// Describe is a job in the shape of the resource, by attribute, without what is Terraform's own; see Read.
func Describe(job *runpb.Job, name runapi.JobName) map[string]attr.Value {
	v := reflect.ValueOf(Read(job, name))
	out := make(map[string]attr.Value, v.NumField())
	for i := range v.NumField() {
		attribute := v.Type().Field(i).Tag.Get("tfsdk")
		if value, ok := v.Field(i).Interface().(attr.Value); ok && !terraformsOwn[attribute] {
			out[attribute] = value
		}
	}
	return out
}

// WrittenAttributes are the types of the attributes of a job that a configuration can write, without what is Terraform's own.
func WrittenAttributes() map[string]attr.Type {
	out := map[string]attr.Type{}
	for name, a := range jobSchema().Attributes {
		if (a.IsRequired() || a.IsOptional()) && !terraformsOwn[name] {
			out[name] = a.GetType()
		}
	}
	return out
}

// ComputedAttributes are the attributes of the resource that Describe fills in, as a data source has them.
func ComputedAttributes() map[string]data.Attribute {
	out := computed(jobSchema().Attributes)
	for attribute := range terraformsOwn {
		delete(out, attribute)
	}
	return out
}

func computed(in map[string]schema.Attribute) map[string]data.Attribute {
	out := make(map[string]data.Attribute, len(in))
	for name, a := range in {
		out[name] = computedAttribute(a)
	}
	return out
}

// computedAttribute has the type and the description of an attribute of the resource.
func computedAttribute(in schema.Attribute) data.Attribute {
	description := in.GetMarkdownDescription()
	switch a := in.(type) {
	case schema.StringAttribute:
		return data.StringAttribute{Computed: true, CustomType: a.CustomType, MarkdownDescription: description}
	case schema.Int64Attribute:
		return data.Int64Attribute{Computed: true, MarkdownDescription: description}
	case schema.Float64Attribute:
		return data.Float64Attribute{Computed: true, MarkdownDescription: description}
	case schema.BoolAttribute:
		return data.BoolAttribute{Computed: true, MarkdownDescription: description}
	case schema.ListAttribute:
		return data.ListAttribute{Computed: true, ElementType: a.ElementType, MarkdownDescription: description}
	case schema.MapAttribute:
		return data.MapAttribute{Computed: true, ElementType: a.ElementType, MarkdownDescription: description}
	case schema.SingleNestedAttribute:
		return data.SingleNestedAttribute{
			Computed: true, CustomType: a.CustomType, Attributes: computed(a.Attributes), MarkdownDescription: description,
		}
	case schema.ListNestedAttribute:
		return data.ListNestedAttribute{
			Computed: true, NestedObject: data.NestedAttributeObject{Attributes: computed(a.NestedObject.Attributes)}, MarkdownDescription: description,
		}
	case schema.MapNestedAttribute:
		return data.MapNestedAttribute{
			Computed: true, NestedObject: data.NestedAttributeObject{Attributes: computed(a.NestedObject.Attributes)}, MarkdownDescription: description,
		}
	}
	panic(fmt.Sprintf("job: no data source attribute for %T", in)) // a test walks the whole schema
}
