package emulator

import (
	"fmt"

	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/grpc/codes"
)

// ruleFamilies are the rules in the order in which they are checked: the first family that finds something wrong answers, with all
// that it finds. That the quota comes before the rules on how a GPU must be asked for is the real service's way.
var ruleFamilies = []func(*checker){
	(*checker).checkShape,
	(*checker).checkNames,
	(*checker).checkNumbers,
	(*checker).checkStage,
	(*checker).checkTokens,
	(*checker).checkContainers,
	(*checker).checkDependencies,
	(*checker).checkEnv,
	(*checker).checkProbes,
	(*checker).checkVolumes,
	(*checker).checkMounts,
	(*checker).checkVPC,
	(*checker).checkFormats,
	(*checker).checkGeneration,
	(*checker).checkQuantities,
	(*checker).checkRedundancy,
	(*checker).checkRegion,
	(*checker).checkQuota,
	(*checker).checkGPU,
	(*checker).checkSizes,
	(*checker).checkTimeout,
	(*checker).checkFeatures,
}

// checkedJob is a job to be held against the rules, with all defaults filled in.
type checkedJob struct {
	request      string // CreateJobRequest, UpdateJobRequest or RunJobRequest
	name         resourceName
	job          *runpb.Job
	previous     *runpb.Job // what it replaces, if anything
	validateOnly bool
}

// checker goes through the rules and collects what a job breaks.
type checker struct {
	checkedJob
	location   string
	quotas     *quotaTable
	code       codes.Code
	violations []violation
}

// check holds a job against all rules.
func (s *state) check(job checkedJob) error {
	c := &checker{checkedJob: job, location: job.name.location(), quotas: s.quotas, code: codes.InvalidArgument}
	for _, family := range ruleFamilies {
		family(c)
		if len(c.violations) > 0 {
			return badRequest(c.code, c.violations, violation.String)
		}
	}
	return nil
}

// request reports a violation in the words of the service's check of the request itself, which speaks of the request's message and
// in small letters: Violation in CreateJobRequest.job.template.task_count: must be a number between 0 and 10000. Which of the two
// manners a rule has is known for a few rules and inferred from the words for the others.
func (c *checker) request(field, format string, args ...any) {
	c.add(fmt.Sprintf("Violation in %s.job.%s", c.checkedJob.request, field), format, args...)
}

// template reports a violation in the words of the service's check of what the job would run, which names the field alone.
func (c *checker) template(field, format string, args ...any) {
	c.add(field, format, args...)
}

func (c *checker) add(field, format string, args ...any) {
	c.violations = append(c.violations, violation{field, fmt.Sprintf(format, args...)})
}

// task is the task template, which every rule after that of the shape finds there.
func (c *checker) task() *runpb.TaskTemplate {
	return c.job.GetTemplate().GetTemplate()
}

func (c *checker) accelerator() string {
	return c.task().GetNodeSelector().GetAccelerator()
}

// container is the path of a container.
func containerField(i int, rest string) string {
	return indexed("template.template.containers", i) + rest
}

func indexed(field string, i int) string {
	return fmt.Sprintf("%s[%d]", field, i)
}
