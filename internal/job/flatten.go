package job

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"google.golang.org/genproto/googleapis/api"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/customtype"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
)

// ownership says which labels of the job are ours to report.
type ownership struct {
	defaults map[string]string // default_labels of the provider
	all      bool              // an import: whatever somebody put there becomes ours
}

// flattenJob reads a job as the server answered it. What the API does not tell apart (absent or empty, an alias of the
// default) keeps the form that prior has; what Terraform alone knows is carried over from it.
func flattenJob(job *runpb.Job, name runapi.JobName, prior Model, own ownership) Model {
	task := job.GetTemplate().GetTemplate()
	m := Model{
		ID:                 types.StringValue(name.String()),
		Name:               types.StringValue(name.Job),
		Location:           types.StringValue(name.Location),
		Project:            types.StringValue(name.Project),
		TaskCount:          types.Int64Value(int64(max(job.GetTemplate().GetTaskCount(), 1))),
		Parallelism:        flattenParallelism(job.GetTemplate(), prior.Parallelism, own.all),
		MaxRetries:         flattenRetries(task),
		TaskTimeout:        flattenTimeout(task.GetTimeout(), prior.TaskTimeout),
		ServiceAccount:     flattenServiceAccount(task.GetServiceAccount(), prior.ServiceAccount),
		LaunchStage:        flattenLaunchStage(job.GetLaunchStage(), prior.LaunchStage, own.all),
		DeletionProtection: prior.DeletionProtection,
		Timeouts:           prior.Timeouts,
		Run:                keptObject(prior.Run, runAttributes),
		LastRun:            keptObject(prior.LastRun, lastRunAttributes),
		UID:                optionalString(job.GetUid(), types.StringNull()),
		CreateTime:         types.StringNull(),
	}
	if t := job.GetCreateTime(); t.IsValid() {
		m.CreateTime = types.StringValue(t.AsTime().UTC().Format(time.RFC3339Nano))
	}
	m.GPU = flattenGPU(task, prior)
	m.Containers = flattenContainers(task.GetContainers(), prior)
	m.Volumes = flattenVolumes(task.GetVolumes(), prior)
	m.VPCAccess = flattenVPCAccess(task.GetVpcAccess(), prior)
	m.EncryptionKey = optionalString(task.GetEncryptionKey(), types.StringNull())
	m.BinaryAuthorization = flattenBinaryAuthorization(job.GetBinaryAuthorization(), prior)
	m.Annotations = flattenOwned(job.GetAnnotations(), prior.Annotations, own)
	m.ExecutionLabels = flattenOwned(job.GetTemplate().GetLabels(), prior.ExecutionLabels, own)
	m.ExecutionAnnotations = flattenOwned(job.GetTemplate().GetAnnotations(), prior.ExecutionAnnotations, own)
	m.Labels, m.EffectiveLabels = flattenLabels(job.GetLabels(), prior, own)
	return decidedPeaks(m)
}

// flattenParallelism takes all tasks at once for absent, unless something else was written: only the real service can tell
// whether it answers "as many as possible" with 0 or with the number of tasks.
func flattenParallelism(in *runpb.ExecutionTemplate, prior types.Int64, imported bool) types.Int64 {
	n := in.GetParallelism()
	if n <= 0 || (n >= max(in.GetTaskCount(), 1) && !known(prior) && !imported) {
		return types.Int64Null()
	}
	return types.Int64Value(int64(n))
}

func flattenRetries(task *runpb.TaskTemplate) types.Int64 {
	if retries, ok := task.GetRetries().(*runpb.TaskTemplate_MaxRetries); ok {
		return types.Int64Value(int64(retries.MaxRetries))
	}
	return types.Int64Value(3)
}

func flattenTimeout(d *durationpb.Duration, prior customtype.Duration) customtype.Duration {
	length := 600 * time.Second
	if d != nil {
		length = d.AsDuration()
	}
	if written, ok := prior.Length(); ok && written == length {
		return prior
	}
	return customtype.DurationValue(length)
}

// computeDefaultServiceAccount is what the API fills in where no service account is given. The number is the project's.
var computeDefaultServiceAccount = regexp.MustCompile(`^\d+-compute@developer\.gserviceaccount\.com$`)

func flattenServiceAccount(email string, prior types.String) types.String {
	if !known(prior) && computeDefaultServiceAccount.MatchString(email) {
		return types.StringNull()
	}
	return optionalString(email, types.StringNull())
}

// stages is ordered from the most to the least stable. The API answers with the stage really used, at most the one asked for.
var stages = []string{"GA", "BETA", "ALPHA"}

// Where nothing was written, the stage is not ours to report.
func flattenLaunchStage(stage api.LaunchStage, prior types.String, imported bool) types.String {
	used := max(slices.Index(stages, stage.String()), 0)
	asked := max(slices.Index(stages, prior.ValueString()), 0)
	switch {
	case known(prior) && used <= asked:
		return prior
	case used <= asked, prior.IsNull() && !imported:
		return types.StringNull()
	}
	return types.StringValue(stages[used])
}

// flattenLabels returns what is ours of the job's labels: those that the resource wrote, and those together with the
// defaults of the provider. Labels of others are not ours to report.
func flattenLabels(labels map[string]string, prior Model, own ownership) (written, effective types.Map) {
	before, mine := textMap(prior.EffectiveLabels), textMap(prior.Labels)
	ours, all := map[string]string{}, map[string]string{}
	for key, value := range labels {
		_, isOurs := before[key]
		_, isMine := mine[key]
		if own.all && !isForeignKey(key) {
			isOurs, isMine = true, own.defaults[key] != value
		}
		if isOurs {
			all[key] = value
		}
		if isMine {
			ours[key] = value
		}
	}
	return stringMap(ours, prior.Labels), stringMap(all, types.MapNull(types.StringType))
}

// flattenOwned returns the entries of a map that the resource wrote; at an import all but those of systems.
func flattenOwned(in map[string]string, prior types.Map, own ownership) types.Map {
	mine, out := textMap(prior), map[string]string{}
	for key, value := range in {
		if _, ok := mine[key]; ok || (own.all && !isForeignKey(key)) {
			out[key] = value
		}
	}
	return stringMap(out, prior)
}

// isForeignKey is true of a key that is never taken over at an import: Google's systems and tools write those themselves.
func isForeignKey(key string) bool { return isSystemKey(key) || strings.HasPrefix(key, "goog-") }
