package job

import (
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// leftOut are the fields of a job that no attribute covers, and why.
var leftOut = map[protoreflect.FullName]string{
	"google.cloud.run.v2.Job.name":                     "goes into the URL: id, name, location, project",
	"google.cloud.run.v2.Job.uid":                      "output only: uid",
	"google.cloud.run.v2.Job.generation":               "output only: in private state and in the data source",
	"google.cloud.run.v2.Job.create_time":              "output only: create_time",
	"google.cloud.run.v2.Job.update_time":              "output only: in the data source",
	"google.cloud.run.v2.Job.delete_time":              "output only, of deleted jobs",
	"google.cloud.run.v2.Job.expire_time":              "output only, of deleted jobs",
	"google.cloud.run.v2.Job.creator":                  "output only: in the data source",
	"google.cloud.run.v2.Job.last_modifier":            "output only: in the data source",
	"google.cloud.run.v2.Job.observed_generation":      "output only",
	"google.cloud.run.v2.Job.terminal_condition":       "output only: in the data source",
	"google.cloud.run.v2.Job.conditions":               "output only: in the data source",
	"google.cloud.run.v2.Job.execution_count":          "output only, changes when the job runs: in the data source",
	"google.cloud.run.v2.Job.latest_created_execution": "output only, changes when the job runs: in the data source",
	"google.cloud.run.v2.Job.reconciling":              "output only: in the data source",
	"google.cloud.run.v2.Job.satisfies_pzs":            "output only, reserved",
	"google.cloud.run.v2.Job.start_execution_token":    "starts an execution as a side effect and is dropped by the API afterwards",
	"google.cloud.run.v2.Job.run_execution_token":      "starts an execution as a side effect and is dropped by the API afterwards",
	"google.cloud.run.v2.Job.functional_type":          "of agents and MCP servers, not of batch work",
	"google.cloud.run.v2.Job.etag":                     "sent with each update, as read just before",

	"google.cloud.run.v2.ExecutionTemplate.delay_execution": "preview",
	"google.cloud.run.v2.ExecutionTemplate.client":          "says who wrote the template: carried over",
	"google.cloud.run.v2.ExecutionTemplate.client_version":  "says who wrote the template: carried over",

	"google.cloud.run.v2.TaskTemplate.execution_environment":    "jobs have one only, the second generation",
	"google.cloud.run.v2.TaskTemplate.workload_identity_config": "preview: carried over",
	"google.cloud.run.v2.TaskTemplate.sandboxes":                "preview: carried over",

	"google.cloud.run.v2.Container.source_code":      "of services and worker pools built from source",
	"google.cloud.run.v2.Container.base_image_uri":   "of services and worker pools built from source",
	"google.cloud.run.v2.Container.build_info":       "output only, of what was built from source",
	"google.cloud.run.v2.Container.ports":            "of services: nothing calls a job",
	"google.cloud.run.v2.Container.liveness_probe":   "refused for jobs",
	"google.cloud.run.v2.Container.readiness_probe":  "of services",
	"google.cloud.run.v2.Container.sandbox_launcher": "preview: carried over",

	"google.cloud.run.v2.ResourceRequirements.cpu_idle":          "refused for jobs",
	"google.cloud.run.v2.ResourceRequirements.startup_cpu_boost": "of services",
}

// A new version of the API's client cannot pass us by: each field of what makes up a job is written by an attribute or listed.
func TestEveryFieldOfTheAPIIsMappedOrLeftOutOnPurpose(t *testing.T) {
	t.Parallel()
	written, unseen := map[protoreflect.FullName]bool{}, maps.Clone(leftOut)
	for _, m := range everyVariant() {
		collect(expandJob(m, owned{}, nil, "1.0.0").ProtoReflect(), written)
	}
	for field := range fieldsOf(new(runpb.Job).ProtoReflect().Descriptor()) {
		name := field.FullName()
		reason, listed := leftOut[name]
		switch {
		case written[name] && listed:
			t.Errorf("%s is mapped, and listed as left out: %s", name, reason)
		case !written[name] && !listed:
			t.Errorf("%s is neither mapped nor left out on purpose", name)
		case listed && isOutputOnly(field) != strings.HasPrefix(reason, "output only"):
			t.Errorf("%s is output only: %t; the reason is %q", name, isOutputOnly(field), reason)
		}
		delete(unseen, name)
	}
	for name := range unseen {
		t.Errorf("%s is left out and does not exist", name)
	}
}

// fieldsOf are the fields of a message and of all messages in it; what is left out is not looked into.
func fieldsOf(message protoreflect.MessageDescriptor) iter.Seq[protoreflect.FieldDescriptor] {
	return func(yield func(protoreflect.FieldDescriptor) bool) {
		for i := range message.Fields().Len() {
			field := message.Fields().Get(i)
			if !yield(field) {
				return
			}
			_, left := leftOut[field.FullName()]
			if left || field.IsMap() || field.Message() == nil || field.Message().ParentFile().Package() != message.ParentFile().Package() {
				continue
			}
			for inner := range fieldsOf(field.Message()) {
				if !yield(inner) {
					return
				}
			}
		}
	}
}

func isOutputOnly(field protoreflect.FieldDescriptor) bool {
	behavior, _ := proto.GetExtension(field.Options(), annotations.E_FieldBehavior).([]annotations.FieldBehavior)
	return slices.Contains(behavior, annotations.FieldBehavior_OUTPUT_ONLY)
}

// everyVariant are models that together write every attribute, also those that exclude each other.
func everyVariant() []Model {
	full, connector, byDefault := fullModel(), fullModel(), fullModel()
	connector.VPCAccess = VPCAccess{
		Connector: types.StringValue("projects/p/locations/l/connectors/c"), NetworkTags: stringsOf(), Egress: types.StringValue("ALL_TRAFFIC"),
	}.object()
	byDefault.BinaryAuthorization = BinaryAuthorization{UseDefault: types.BoolValue(true)}.object()
	containers, _ := byDefault.containers()
	containers[0].StartupProbe = fullProbe(func(p *StartupProbe) {
		p.GRPC = GRPCProbe{Port: types.Int64Value(1), Service: types.StringValue("health")}.object()
	})
	byDefault.Containers = containerList(containers)
	return []Model{full, connector, byDefault}
}

// collect notes which fields of a message, and of what it contains, are set.
func collect(m protoreflect.Message, into map[protoreflect.FullName]bool) {
	m.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		into[field.FullName()] = true
		switch {
		case field.IsMap() || field.Message() == nil:
		case field.IsList():
			for i := range value.List().Len() {
				collect(value.List().Get(i).Message(), into)
			}
		default:
			collect(value.Message(), into)
		}
		return true
	})
}
