package runapi

import (
	"context"
	"iter"

	run "cloud.google.com/go/run/apiv2"
	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/api/iterator"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/call"
)

// GetExecution returns an execution. One that is not there is a fault of which fault.IsNotFound is true.
func (c *Client) GetExecution(ctx context.Context, name ExecutionName) (*runpb.Execution, error) {
	execution, _, err := on(ctx, c, c.executions, "Executions.GetExecution", call.Reads,
		func(ctx context.Context, client *run.ExecutionsClient, opts ...gaxOption) (*runpb.Execution, error) {
			return client.GetExecution(ctx, &runpb.GetExecutionRequest{Name: name.String()}, opts...)
		})
	return execution, err
}

// ListExecutions returns the executions of a job in the order of the API, page by page as they are asked for. It ends after an error.
func (c *Client) ListExecutions(ctx context.Context, job JobName) iter.Seq2[*runpb.Execution, error] {
	return pages(func(token string) (page[*runpb.Execution], error) {
		answer, _, err := on(ctx, c, c.executions, "Executions.ListExecutions", call.Reads,
			func(ctx context.Context, client *run.ExecutionsClient, opts ...gaxOption) (page[*runpb.Execution], error) {
				var p page[*runpb.Execution]
				all := client.ListExecutions(ctx, &runpb.ListExecutionsRequest{Parent: job.String()}, opts...)
				next, err := iterator.NewPager(all, largestPage, token).NextPage(&p.elements)
				p.next = next
				return p, err
			})
		return answer, err
	})
}

// ListTasks returns the tasks of an execution by their index, page by page as they are asked for. It ends after an error.
func (c *Client) ListTasks(ctx context.Context, execution ExecutionName) iter.Seq2[*runpb.Task, error] {
	return pages(func(token string) (page[*runpb.Task], error) {
		answer, _, err := on(ctx, c, c.tasks, "Tasks.ListTasks", call.Reads,
			func(ctx context.Context, client *run.TasksClient, opts ...gaxOption) (page[*runpb.Task], error) {
				var p page[*runpb.Task]
				all := client.ListTasks(ctx, &runpb.ListTasksRequest{Parent: execution.String()}, opts...)
				next, err := iterator.NewPager(all, largestPage, token).NextPage(&p.elements)
				p.next = next
				return p, err
			})
		return answer, err
	})
}

// page is one page of a list: a try and its deadline are for a page, not for a list of unknown length.
type page[T any] struct {
	elements []T
	next     string
}

// pages walks the pages of a list, each gotten when it is needed.
func pages[T any](get func(token string) (page[T], error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for token, more := "", true; more; more = token != "" {
			p, err := get(token)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, element := range p.elements {
				if !yield(element, nil) {
					return
				}
			}
			token = p.next
		}
	}
}
