package job

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"google.golang.org/genproto/googleapis/api"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"
)

var errIncompletePeer = errors.New("the state names no project, location or name")

// block is a nested block of the peer: a list of at most one object.
type block[T any] []T

// get is the object of the block; the zero value where there is none.
func (b block[T]) get() (object T) {
	if len(b) > 0 {
		object = b[0]
	}
	return object
}

// peerJob is the state of google_cloud_run_v2_job in JSON. Fields that the API alone decides are left out.
type peerJob struct {
	ID                  string            `json:"id"`
	Name                string            `json:"name"`
	Location            string            `json:"location"`
	Project             string            `json:"project"`
	UID                 string            `json:"uid"`
	Generation          string            `json:"generation"`
	CreateTime          string            `json:"create_time"`
	Labels              map[string]string `json:"labels"`
	TerraformLabels     map[string]string `json:"terraform_labels"`
	Annotations         map[string]string `json:"annotations"`
	LaunchStage         string            `json:"launch_stage"`
	DeletionProtection  *bool             `json:"deletion_protection"`
	BinaryAuthorization block[peerBinary] `json:"binary_authorization"`
	Template            block[peerRun]    `json:"template"`
	Timeouts            peerTimeouts      `json:"timeouts"`
}

type peerBinary struct {
	UseDefault              bool   `json:"use_default"`
	Policy                  string `json:"policy"`
	BreakglassJustification string `json:"breakglass_justification"`
}

type peerTimeouts struct {
	Create, Update, Delete *string
}

type peerRun struct {
	Labels      map[string]string `json:"labels"`
	Annotations map[string]string `json:"annotations"`
	Parallelism int32             `json:"parallelism"`
	TaskCount   int32             `json:"task_count"`
	Template    block[peerTask]   `json:"template"`
}

type peerTask struct {
	Containers         []peerContainer         `json:"containers"`
	Volumes            []peerVolume            `json:"volumes"`
	Timeout            string                  `json:"timeout"`
	ServiceAccount     string                  `json:"service_account"`
	EncryptionKey      string                  `json:"encryption_key"`
	MaxRetries         *int32                  `json:"max_retries"`
	NodeSelector       block[peerNodeSelector] `json:"node_selector"`
	RedundancyDisabled *bool                   `json:"gpu_zonal_redundancy_disabled"`
	VPCAccess          block[peerVPC]          `json:"vpc_access"`
}

type peerNodeSelector struct {
	Accelerator string `json:"accelerator"`
}

type peerVPC struct {
	Connector         string           `json:"connector"`
	Egress            string           `json:"egress"`
	NetworkInterfaces []peerNetworkNIC `json:"network_interfaces"`
}

type peerNetworkNIC struct {
	Network    string   `json:"network"`
	Subnetwork string   `json:"subnetwork"`
	Tags       []string `json:"tags"`
}

// generation is that of the peer's last look at the job; 0, not known, where it did not say.
func (p peerJob) generation() int64 {
	n, err := strconv.ParseInt(p.Generation, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// job is the peer's state as the API has the job.
func (p peerJob) job() (*runpb.Job, error) {
	run := p.Template.get()
	task, err := run.Template.get().task()
	if err != nil {
		return nil, err
	}
	out := &runpb.Job{
		Uid: p.UID, Labels: p.TerraformLabels, Annotations: p.Annotations,
		LaunchStage: api.LaunchStage(api.LaunchStage_value[p.LaunchStage]),
		Template: &runpb.ExecutionTemplate{
			Labels: run.Labels, Annotations: run.Annotations, Parallelism: run.Parallelism, TaskCount: run.TaskCount, Template: task,
		},
	}
	if out.Labels == nil {
		out.Labels = p.Labels // the peer before version 5 has no terraform_labels
	}
	if len(p.BinaryAuthorization) > 0 {
		out.BinaryAuthorization = p.BinaryAuthorization.get().expand()
	}
	if p.CreateTime != "" {
		created, err := time.Parse(time.RFC3339Nano, p.CreateTime)
		if err != nil {
			return nil, fmt.Errorf("create_time: %w", err)
		}
		out.CreateTime = timestamppb.New(created)
	}
	return out, nil
}

func (b peerBinary) expand() *runpb.BinaryAuthorization {
	out := &runpb.BinaryAuthorization{BreakglassJustification: b.BreakglassJustification}
	switch {
	case b.Policy != "":
		out.BinauthzMethod = &runpb.BinaryAuthorization_Policy{Policy: b.Policy}
	case b.UseDefault:
		out.BinauthzMethod = &runpb.BinaryAuthorization_UseDefault{UseDefault: true}
	}
	return out
}

func (t peerTask) task() (*runpb.TaskTemplate, error) {
	out := &runpb.TaskTemplate{
		ServiceAccount: t.ServiceAccount, EncryptionKey: t.EncryptionKey, GpuZonalRedundancyDisabled: t.RedundancyDisabled,
	}
	if t.MaxRetries != nil {
		out.Retries = &runpb.TaskTemplate_MaxRetries{MaxRetries: *t.MaxRetries}
	}
	if t.Timeout != "" {
		length, err := time.ParseDuration(t.Timeout)
		if err != nil {
			return nil, fmt.Errorf("timeout: %w", err)
		}
		out.Timeout = durationpb.New(length)
	}
	if accelerator := t.NodeSelector.get().Accelerator; accelerator != "" {
		out.NodeSelector = &runpb.NodeSelector{Accelerator: accelerator}
	}
	if len(t.VPCAccess) > 0 {
		out.VpcAccess = t.VPCAccess.get().expand()
	}
	for _, c := range t.Containers {
		out.Containers = append(out.Containers, c.expand())
	}
	for _, v := range t.Volumes {
		out.Volumes = append(out.Volumes, v.expand())
	}
	return out, nil
}

func (v peerVPC) expand() *runpb.VpcAccess {
	out := &runpb.VpcAccess{Connector: v.Connector, Egress: runpb.VpcAccess_VpcEgress(runpb.VpcAccess_VpcEgress_value[v.Egress])}
	for _, nic := range v.NetworkInterfaces {
		out.NetworkInterfaces = append(out.NetworkInterfaces, &runpb.VpcAccess_NetworkInterface{
			Network: nic.Network, Subnetwork: nic.Subnetwork, Tags: nic.Tags,
		})
	}
	return out
}

// value is the timeouts in our shape; the peer has none for reading.
func (t peerTimeouts) value() timeouts.Value {
	of := map[string]attr.Type{"create": types.StringType, "read": types.StringType, "update": types.StringType, "delete": types.StringType}
	if t.Create == nil && t.Update == nil && t.Delete == nil {
		return timeouts.Value{Object: types.ObjectNull(of)}
	}
	return timeouts.Value{Object: types.ObjectValueMust(of, map[string]attr.Value{
		"create": types.StringPointerValue(t.Create),
		"read":   types.StringNull(),
		"update": types.StringPointerValue(t.Update),
		"delete": types.StringPointerValue(t.Delete),
	})}
}
