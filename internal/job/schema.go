package job

import (
	"context"
	"math"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/customtype"
)

// defaultTimeout of create, update and delete: the API answers in seconds, a GPU deployment at its worst in minutes.
const defaultTimeout = "20 minutes"

// Terraform asks for the schema many times in a run; it never changes, so it is built once.
var jobSchema = sync.OnceValue(buildSchema)

// Schema describes the attributes of the resource.
func (r *Resource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = jobSchema()
}

func buildSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "A [Cloud Run job](https://cloud.google.com/run/docs/create-jobs), made for jobs that use GPUs. " +
			"What the API would refuse, or accept and fail later, is found at `terraform plan`: sizes that do not go with the GPU, " +
			"regions without it, tasks that run too long, and more GPUs at once than the project's quota allows.",
		Attributes: map[string]schema.Attribute{
			"id": schema.StringAttribute{
				Computed:            true,
				MarkdownDescription: "Full name of the job: `projects/PROJECT/locations/LOCATION/jobs/NAME`.",
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
			"name": schema.StringAttribute{
				Required: true,
				MarkdownDescription: "Name of the job: 1 to 63 lower-case letters, digits and hyphens, beginning with a letter and " +
					"not ending with a hyphen. A change replaces the job.",
				Validators: []validator.String{jobNameForm},
			},
			"location": schema.StringAttribute{
				Optional: true, Computed: true,
				MarkdownDescription: "Region of the job, such as `us-central1`. With a GPU: one of the regions that offer its type, " +
					"see the data source `cloudrungpu_regions`. Default: the `region` of the provider. A change replaces the job.",
				Validators:    []validator.String{stringvalidator.LengthAtLeast(1)},
				PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
			"project": schema.StringAttribute{
				Optional: true, Computed: true,
				MarkdownDescription: "Id of the project of the job. Default: the `project` of the provider. A change replaces the job.",
				Validators:          []validator.String{stringvalidator.LengthAtLeast(1)},
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
			"labels": schema.MapAttribute{
				Optional: true, ElementType: types.StringType,
				MarkdownDescription: "Labels of the job, key to value. Only these keys are managed: what others put on the job stays " +
					"there and is no drift. Keys of Google's own systems, such as `run.googleapis.com/…`, are refused. Default: none " +
					"but the `default_labels` of the provider.",
				Validators: []validator.Map{systemKeys{"label"}, mapvalidator.NoNullValues()},
			},
			"effective_labels": schema.MapAttribute{
				Computed: true, ElementType: types.StringType,
				MarkdownDescription: "Labels that the provider puts on the job: `labels` merged over the `default_labels` of the provider.",
			},
			"annotations": schema.MapAttribute{
				Optional: true, ElementType: types.StringType,
				MarkdownDescription: "Annotations of the job, key to value. Only these keys are managed: what others put on the job stays there " +
					"and is no drift. Keys of Google's own systems are refused. Default: none.",
				Validators: []validator.Map{systemKeys{"annotation"}, mapvalidator.NoNullValues()},
			},
			"execution_labels": schema.MapAttribute{
				Optional: true, ElementType: types.StringType,
				MarkdownDescription: "Labels of each execution, key to value; they show up in billing and logs. Default: none.",
				Validators:          []validator.Map{systemKeys{"label"}, mapvalidator.NoNullValues()},
			},
			"execution_annotations": schema.MapAttribute{
				Optional: true, ElementType: types.StringType,
				MarkdownDescription: "Annotations of each execution, key to value. Default: none.",
				Validators:          []validator.Map{systemKeys{"annotation"}, mapvalidator.NoNullValues()},
			},
			"gpu": gpuSchema(),
			"task_count": schema.Int64Attribute{
				Optional: true, Computed: true, Default: int64default.StaticInt64(1),
				MarkdownDescription: "Number of tasks of one execution: 1 to 10000. Default: `1`.",
				Validators:          []validator.Int64{int64validator.Between(1, 10000)},
			},
			"parallelism": schema.Int64Attribute{
				Optional: true,
				MarkdownDescription: "Number of tasks that may run at once, at least 1. With a GPU, `gpu.count` times this number must " +
					"not exceed the project's GPU quota in the region. Default: absent, as many tasks as possible.",
				Validators: []validator.Int64{int64validator.Between(1, math.MaxInt32)},
			},
			"max_retries": schema.Int64Attribute{
				Optional: true, Computed: true, Default: int64default.StaticInt64(3),
				MarkdownDescription: "How often a failed task is tried again: 0 to 10. Each try is billed, GPU included. Default: `3`.",
				Validators:          []validator.Int64{int64validator.Between(0, 10)},
			},
			"task_timeout": schema.StringAttribute{
				Optional: true, Computed: true, CustomType: customtype.DurationType{}, Default: stringdefault.StaticString("600s"),
				MarkdownDescription: "How long one try of a task may run, as a duration: `3600s`, `1h30m`. At most `168h`; with a GPU at " +
					"most `1h`, or `12h` (preview) when `launch_stage` is `BETA`. Default: `600s`.",
				PlanModifiers: []planmodifier.String{customtype.KeepSpelling(customtype.DurationType{})},
			},
			"containers": containersSchema(),
			"volumes":    volumesSchema(),
			"vpc_access": vpcAccessSchema(),
			"service_account": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "E-mail of the service account that the tasks run as. Default: absent, the Compute Engine default " +
					"service account of the project.",
				Validators: []validator.String{serviceAccountForm},
			},
			"encryption_key": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Cloud KMS key that encrypts the image: `projects/PROJECT/locations/REGION/keyRings/RING/cryptoKeys/KEY`. " +
					"Default: absent, a key of Google's.",
				Validators: []validator.String{encryptionKeyForm},
			},
			"binary_authorization": binaryAuthorizationSchema(),
			"launch_stage": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Least stable launch stage of the features that the job may use: `GA`, `BETA` or `ALPHA`. The API " +
					"lowers it to what is really used; that is no drift. Default: absent, `GA`.",
				Validators: []validator.String{stringvalidator.OneOf("GA", "BETA", "ALPHA")},
			},
			"deletion_protection": schema.BoolAttribute{
				Optional: true, Computed: true, Default: booldefault.StaticBool(false),
				MarkdownDescription: "Whether Terraform refuses, at plan, to destroy or replace the job: `true` or `false`. It is a rule " +
					"of Terraform alone: the API knows nothing of it. Default: `false`.",
			},
			"run":      runSchema(),
			"last_run": lastRunSchema(),
			"timeouts": timeoutsSchema(),
			"uid": schema.StringAttribute{
				Computed:            true,
				MarkdownDescription: "Id that the server gave this job; a job of the same name made later has another.",
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
			"create_time": schema.StringAttribute{
				Computed:            true,
				MarkdownDescription: "When the job was created, in RFC 3339 form, UTC.",
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
			"peak_gpus": schema.Int64Attribute{
				Computed: true,
				MarkdownDescription: "Most GPUs that one execution can hold at once: `gpu.count` times the smaller of `parallelism` and " +
					"`task_count`; `0` without a GPU. Known at plan, for policies and `check` blocks.",
			},
			"peak_cpu": schema.Float64Attribute{
				Computed:            true,
				MarkdownDescription: "Most vCPU that one execution can hold at once. Known at plan.",
			},
			"peak_memory_gib": schema.Float64Attribute{
				Computed:            true,
				MarkdownDescription: "Most memory that one execution can hold at once, in GiB. Known at plan.",
			},
		},
	}
}
