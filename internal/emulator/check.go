package emulator

import (
	"fmt"

	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/grpc/codes"
)

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

// ruleFamilies are the rules in the order in which they are checked: the first family that finds something wrong answers, with all
// that it finds. That the quota comes before the rules on how a GPU must be asked for is the real service's way.
var ruleFamilies = []func(*checker){
	(*checker).checkShape,
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
// in small letters: Violation in CreateJobRequest.job.template.task_count: must be ...
func (c *checker) request(field, description string) {
	c.violations = append(c.violations, violation{fmt.Sprintf("Violation in %s.job.%s", c.checkedJob.request, field), description})
}

// template reports a violation in the words of the service's check of what the job would run, which names the field alone.
func (c *checker) template(field, description string) {
	c.violations = append(c.violations, violation{field, description})
}

// fail reports a violation that is answered with another code than INVALID_ARGUMENT.
func (c *checker) fail(code codes.Code, v violation) {
	c.code = code
	c.violations = append(c.violations, v)
}

func (c *checker) task() *runpb.TaskTemplate {
	return c.job.GetTemplate().GetTemplate()
}

func indexed(field string, i int) string {
	return fmt.Sprintf("%s[%d]", field, i)
}
