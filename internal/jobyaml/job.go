package jobyaml

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/genproto/googleapis/api"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
)

// Annotations in which the API v1 keeps what has fields of its own in v2.
const (
	system = "run.googleapis.com/"

	launchStage          = system + "launch-stage"
	binaryAuthorization  = system + "binary-authorization"
	breakglass           = system + "binary-authorization-breakglass"
	redundancyDisabled   = system + "gpu-zonal-redundancy-disabled"
	executionEnvironment = system + "execution-environment"
	encryptionKey        = system + "encryption-key"
	vpcConnector         = system + "vpc-access-connector"
	vpcEgress            = system + "vpc-access-egress"
	networkInterfaces    = system + "network-interfaces"
	cloudSQLInstances    = system + "cloudsql-instances"
	secretAliases        = system + "secrets"
	dependencies         = system + "container-dependencies"
	clientName           = system + "client-name"
	clientVersion        = system + "client-version"

	accelerator = system + "accelerator"
)

// understood are the system annotations of the execution template: another one would change how the job runs.
var understood = []string{
	redundancyDisabled, executionEnvironment, encryptionKey, vpcConnector, vpcEgress, networkInterfaces, cloudSQLInstances, secretAliases,
	dependencies, clientName, clientVersion,
}

// converter collects what cannot be carried over.
type converter struct {
	aliases map[string]string // of secrets of other projects: alias -> projects/P/secrets/S
	faults  []error
}

func (c *converter) fault(format string, args ...any) {
	c.faults = append(c.faults, fmt.Errorf(format, args...))
}

func (c *converter) job(doc *document) *runpb.Job {
	if doc.Metadata.Name == "" {
		c.fault("metadata.name is missing")
	}
	template := doc.Spec.Template
	c.readAliases(template.Metadata.Annotations[secretAliases])
	job := &runpb.Job{
		Labels:      doc.Metadata.Labels,
		Annotations: own(doc.Metadata.Annotations),
		LaunchStage: c.launchStage(doc.Metadata.Annotations[launchStage]),
		Template: &runpb.ExecutionTemplate{
			Labels:      template.Metadata.Labels,
			Annotations: own(template.Metadata.Annotations),
			Parallelism: int32(template.Spec.Parallelism),
			TaskCount:   int32(template.Spec.TaskCount),
			Template:    c.task(template.Spec.Template.Spec, template.Metadata.Annotations),
		},
	}
	job.BinaryAuthorization = c.binaryAuthorization(doc.Metadata.Annotations)
	return job
}

// own are the annotations that are not of Google's systems.
func own(annotations map[string]string) map[string]string {
	out := maps.Clone(annotations)
	maps.DeleteFunc(out, func(key, _ string) bool { return isSystem(key) })
	return out
}

func isSystem(key string) bool {
	domain, _, found := strings.Cut(key, "/")
	return found && (strings.HasSuffix(domain, "googleapis.com") || strings.HasSuffix(domain, "knative.dev"))
}

func (c *converter) launchStage(stage string) api.LaunchStage {
	if stage == "" {
		return api.LaunchStage_LAUNCH_STAGE_UNSPECIFIED
	}
	value, found := api.LaunchStage_value[stage]
	if !found {
		c.fault("metadata.annotations[%q] is %q: write GA, BETA or ALPHA", launchStage, shorten(stage))
	}
	return api.LaunchStage(value)
}

func (c *converter) binaryAuthorization(annotations map[string]string) *runpb.BinaryAuthorization {
	policy, justification := annotations[binaryAuthorization], annotations[breakglass]
	if policy == "" && justification == "" {
		return nil
	}
	out := &runpb.BinaryAuthorization{BreakglassJustification: justification}
	switch policy {
	case "":
	case "default":
		out.BinauthzMethod = &runpb.BinaryAuthorization_UseDefault{UseDefault: true}
	default:
		out.BinauthzMethod = &runpb.BinaryAuthorization_Policy{Policy: policy}
	}
	return out
}

func (c *converter) task(spec taskSpec, annotations map[string]string) *runpb.TaskTemplate {
	for _, key := range slices.Sorted(maps.Keys(annotations)) {
		if isSystem(key) && !slices.Contains(understood, key) {
			c.fault("spec.template.metadata.annotations[%q] is not one that cloudrungpu_job can carry over: remove it", shorten(key))
		}
	}
	if environment := annotations[executionEnvironment]; environment != "" && environment != "gen2" {
		c.fault("spec.template.metadata.annotations[%q] is %q: jobs run in gen2 only", executionEnvironment, shorten(environment))
	}
	task := &runpb.TaskTemplate{
		ServiceAccount: spec.ServiceAccountName,
		EncryptionKey:  annotations[encryptionKey],
		VpcAccess:      c.vpcAccess(annotations),
		Timeout:        durationpb.New(600 * time.Second),
	}
	if spec.TimeoutSeconds != 0 {
		task.Timeout = durationpb.New(time.Duration(spec.TimeoutSeconds) * time.Second)
	}
	if spec.MaxRetries != nil {
		task.Retries = &runpb.TaskTemplate_MaxRetries{MaxRetries: int32(*spec.MaxRetries)}
	}
	for key, value := range spec.NodeSelector {
		if key != accelerator {
			c.fault("nodeSelector[%q] is not one that cloudrungpu_job can carry over: only %q is", shorten(key), accelerator)
			continue
		}
		task.NodeSelector = &runpb.NodeSelector{Accelerator: value}
	}
	if disabled, written := annotations[redundancyDisabled]; written {
		task.GpuZonalRedundancyDisabled = proto.Bool(disabled == "true")
	}
	for i, container := range spec.Containers {
		task.Containers = append(task.Containers, c.container(i, container))
	}
	c.dependencies(task, annotations[dependencies])
	for _, volume := range spec.Volumes {
		task.Volumes = append(task.Volumes, c.volume(volume))
	}
	mountCloudSQL(task, annotations[cloudSQLInstances])
	return task
}

// dependencies are JSON: {"trainer": ["loader"]}.
func (c *converter) dependencies(task *runpb.TaskTemplate, text string) {
	if text == "" {
		return
	}
	var on map[string][]string
	if err := json.Unmarshal([]byte(text), &on); err != nil {
		c.fault("annotation %q is not JSON of the form {\"container\": [\"another\"]}", dependencies)
		return
	}
	for _, container := range task.GetContainers() {
		container.DependsOn = on[container.GetName()]
		delete(on, container.GetName())
	}
	for _, name := range slices.Sorted(maps.Keys(on)) {
		c.fault("annotation %q names the container %q, which there is not", dependencies, shorten(name))
	}
}

func (c *converter) vpcAccess(annotations map[string]string) *runpb.VpcAccess {
	connector, egress, interfaces := annotations[vpcConnector], annotations[vpcEgress], annotations[networkInterfaces]
	if connector == "" && egress == "" && interfaces == "" {
		return nil
	}
	out := &runpb.VpcAccess{Connector: connector}
	switch egress {
	case "", "private-ranges-only":
	case "all-traffic":
		out.Egress = runpb.VpcAccess_ALL_TRAFFIC
	default:
		c.fault("annotation %q is %q: write all-traffic or private-ranges-only", vpcEgress, shorten(egress))
	}
	if interfaces == "" {
		return out
	}
	var nics []struct {
		Network    string `json:"network"`
		Subnetwork string `json:"subnetwork"`
		Tags       tags   `json:"tags"`
	}
	if err := json.Unmarshal([]byte(interfaces), &nics); err != nil || len(nics) > 1 {
		c.fault("annotation %q is not a JSON list of one interface: [{\"network\": …, \"subnetwork\": …, \"tags\": …}]", networkInterfaces)
		return out
	}
	for _, nic := range nics {
		out.NetworkInterfaces = append(out.NetworkInterfaces, &runpb.VpcAccess_NetworkInterface{
			Network: nic.Network, Subnetwork: nic.Subnetwork, Tags: nic.Tags,
		})
	}
	return out
}

// tags are written as one text, separated by commas, or as a list.
type tags []string

// UnmarshalJSON reads both forms.
func (t *tags) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*t = split(one)
		return nil
	}
	return json.Unmarshal(data, (*[]string)(t))
}

// split takes a list of texts apart that is written with commas.
func split(list string) []string {
	var out []string
	for part := range strings.SplitSeq(list, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}
