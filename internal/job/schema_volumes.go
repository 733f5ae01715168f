package job

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/customtype"
)

func volumesSchema() schema.Attribute {
	return schema.MapNestedAttribute{
		Optional: true,
		MarkdownDescription: "Volumes of each task, by name; `containers[].volume_mounts` says where each is seen. A volume has exactly one of " +
			"`secret`, `cloud_sql`, `empty_dir`, `nfs` and `gcs`. Default: none.",
		Validators: []validator.Map{mapvalidator.KeysAre(volumeNameForm), mapvalidator.NoNullValues()},
		NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
			"secret":    secretVolumeSchema(),
			"cloud_sql": cloudSQLSchema(),
			"empty_dir": emptyDirSchema(),
			"nfs":       nfsSchema(),
			"gcs":       gcsSchema(),
		}},
	}
}

func secretVolumeSchema() schema.Attribute {
	keepMode := []planmodifier.String{customtype.KeepSpelling(customtype.FileModeType{})}
	return schema.SingleNestedAttribute{
		Optional: true,
		MarkdownDescription: "Versions of a secret as files. The service account of the job needs `roles/secretmanager.secretAccessor` on it. " +
			"Default: absent.",
		Attributes: map[string]schema.Attribute{
			"secret": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "The secret: its name, or `projects/PROJECT/secrets/NAME` when it lives in another project.",
				Validators:          []validator.String{secretForm},
			},
			"default_mode": schema.StringAttribute{
				Optional: true, Computed: true, CustomType: customtype.FileModeType{}, Default: stringdefault.StaticString("0444"),
				MarkdownDescription: "Permission bits of files that have no mode of their own, in octal: `0001` to `0777`. Default: `0444`.",
				PlanModifiers:       keepMode,
			},
			"items": schema.MapNestedAttribute{
				Optional: true,
				MarkdownDescription: "Files, by path below the mount. Default: absent, one file with the name of the secret and its latest " +
					"version.",
				Validators: []validator.Map{mapvalidator.NoNullValues()},
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"version": schema.StringAttribute{
						Required:            true,
						MarkdownDescription: "Version of the secret: a number, an alias, or `latest`.",
						Validators:          []validator.String{secretVersionForm},
					},
					"mode": schema.StringAttribute{
						Optional: true, CustomType: customtype.FileModeType{},
						MarkdownDescription: "Permission bits of this file, in octal: `0001` to `0777`. Default: `default_mode`.",
						PlanModifiers:       keepMode,
					},
				}},
			},
		},
	}
}

func cloudSQLSchema() schema.Attribute {
	return schema.SingleNestedAttribute{
		Optional: true,
		MarkdownDescription: "Sockets of Cloud SQL instances. The volume must have the name `cloudsql`; mount it at `/cloudsql`. Default: " +
			"absent.",
		Attributes: map[string]schema.Attribute{
			"instances": schema.ListAttribute{
				Required: true, ElementType: types.StringType,
				MarkdownDescription: "Connection names of the instances: `PROJECT:REGION:INSTANCE`, at least one.",
				Validators:          []validator.List{listvalidator.SizeAtLeast(1), listvalidator.NoNullValues(), listvalidator.ValueStringsAre(sqlInstanceForm)},
			},
		},
	}
}

func emptyDirSchema() schema.Attribute {
	return schema.SingleNestedAttribute{
		Optional:            true,
		MarkdownDescription: "Scratch space, empty when a task starts and gone when it ends. Default: absent.",
		Attributes: map[string]schema.Attribute{
			"medium": schema.StringAttribute{
				Optional: true, Computed: true, Default: stringdefault.StaticString("MEMORY"),
				MarkdownDescription: "Where it lives: `MEMORY`, which counts against the memory of the containers, or `DISK` (preview: needs " +
					"`launch_stage = \"BETA\"`). Default: `MEMORY`.",
				Validators: []validator.String{stringvalidator.OneOf("MEMORY", "DISK")},
			},
			"size_limit": schema.StringAttribute{
				Optional: true, CustomType: customtype.QuantityType{},
				MarkdownDescription: "Largest size, as a quantity of bytes such as `10Gi`. Default: absent, for `MEMORY` the memory of the " +
					"containers.",
				PlanModifiers: []planmodifier.String{customtype.KeepSpelling(customtype.QuantityType{})},
			},
		},
	}
}

func nfsSchema() schema.Attribute {
	return schema.SingleNestedAttribute{
		Optional:            true,
		MarkdownDescription: "A share of an NFS server that `vpc_access` reaches. Default: absent.",
		Attributes: map[string]schema.Attribute{
			"server": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Host name or IP address of the server.",
				Validators:          []validator.String{stringvalidator.LengthAtLeast(1)},
			},
			"path": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Path that the server exports, absolute: `/models`.",
				Validators:          []validator.String{stringvalidator.LengthAtLeast(1)},
			},
			"read_only": readOnlySchema(),
		},
	}
}

func gcsSchema() schema.Attribute {
	return schema.SingleNestedAttribute{
		Optional: true,
		MarkdownDescription: "A Cloud Storage bucket, mounted with Cloud Storage FUSE. The service account of the job needs " +
			"`roles/storage.objectViewer` on it, or `roles/storage.objectUser` to write. Default: absent.",
		Attributes: map[string]schema.Attribute{
			"bucket": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Name of the bucket, without `gs://`.",
				Validators:          []validator.String{bucketForm},
			},
			"read_only": readOnlySchema(),
			"mount_options": schema.ListAttribute{
				Optional: true, ElementType: types.StringType,
				MarkdownDescription: "Options of Cloud Storage FUSE, without leading hyphens: `enable-buffered-read=true`, " +
					"`cache-dir=cr-volume:NAME` (a volume of this job as cache). Caches and buffers count against the memory of the " +
					"containers. Default: none.",
				Validators: []validator.List{listvalidator.NoNullValues(), listvalidator.ValueStringsAre(mountOptionForm)},
			},
		},
	}
}

func readOnlySchema() schema.Attribute {
	return schema.BoolAttribute{
		Optional: true, Computed: true, Default: booldefault.StaticBool(false),
		MarkdownDescription: "Whether the volume can only be read: `true` or `false`. Default: `false`.",
	}
}

func volumeMountsSchema() schema.Attribute {
	return schema.MapNestedAttribute{
		Optional: true,
		MarkdownDescription: "Where the container sees volumes, by absolute path in the container. Not below `/dev`, `/proc` or `/sys`. " +
			"Default: none.",
		Validators: []validator.Map{mapvalidator.NoNullValues()},
		NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
			"volume": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Name of the volume: a key of `volumes`.",
			},
			"sub_path": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Path inside the volume to mount instead of its root. Not for `secret` volumes. Default: absent, the " +
					"root.",
				Validators: []validator.String{stringvalidator.LengthAtLeast(1)},
			},
		}},
	}
}
