package runapi

import (
	"context"
	"iter"

	run "cloud.google.com/go/run/apiv2"
	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/googleapis/gax-go/v2"
	"google.golang.org/api/iterator"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/call"
)

// gaxOption spares the signatures of this package a long name.
type gaxOption = gax.CallOption

// GetJob returns a job. One that is not there is a fault of which fault.IsNotFound is true.
func (c *Client) GetJob(ctx context.Context, name JobName) (*runpb.Job, error) {
	job, _, err := do(ctx, c, "Jobs.GetJob", call.Reads,
		func(ctx context.Context, client *run.JobsClient, opts ...gaxOption) (*runpb.Job, error) {
			return client.GetJob(ctx, &runpb.GetJobRequest{Name: name.String()}, opts...)
		})
	return job, err
}

// largestPage asks for more jobs than a page may have: the API then sends as many as it can.
const largestPage = 1000

// ListJobs returns the jobs of a project and location, page by page as they are asked for. It ends after an error.
func (c *Client) ListJobs(ctx context.Context, project, location string) iter.Seq2[*runpb.Job, error] {
	return func(yield func(*runpb.Job, error) bool) {
		parent := JobName{Project: project, Location: location}.Parent()
		for token, more := "", true; more; more = token != "" {
			page, err := c.page(ctx, parent, token)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, job := range page.jobs {
				if !yield(job, nil) {
					return
				}
			}
			token = page.next
		}
	}
}

type jobPage struct {
	jobs []*runpb.Job
	next string
}

// page gets one page: a try and its deadline are for a page, not for a list of unknown length.
func (c *Client) page(ctx context.Context, parent, token string) (jobPage, error) {
	page, _, err := do(ctx, c, "Jobs.ListJobs", call.Reads,
		func(ctx context.Context, client *run.JobsClient, opts ...gaxOption) (jobPage, error) {
			var page jobPage
			jobs := client.ListJobs(ctx, &runpb.ListJobsRequest{Parent: parent}, opts...)
			next, err := iterator.NewPager(jobs, largestPage, token).NextPage(&page.jobs)
			page.next = next
			return page, err
		})
	return page, err
}
