package emulator_test

import (
	"fmt"
	"testing"

	"cloud.google.com/go/run/apiv2/runpb"
)

// The cost of one call through each door, and of listing a full region.
func BenchmarkCalls(b *testing.B) {
	server := start(b)
	byGRPC, byREST := grpcClients(b, server), restClients(b, server)
	for i := range 1000 {
		must(byGRPC.jobs.CreateJob(b.Context(), &runpb.CreateJobRequest{Parent: location, JobId: fmt.Sprint("job", i), Job: gpuJob()}))(b)
	}
	for door, client := range map[string]clients{"grpc": byGRPC, "rest": byREST} {
		b.Run("get/"+door, func(b *testing.B) {
			for b.Loop() {
				must(client.jobs.GetJob(b.Context(), &runpb.GetJobRequest{Name: location + "/jobs/job7"}))(b)
			}
		})
		b.Run("list/"+door, func(b *testing.B) {
			for b.Loop() {
				if names := listJobs(b, client, &runpb.ListJobsRequest{Parent: location, PageSize: 1000}); len(names) != 1000 {
					b.Fatalf("%d jobs", len(names))
				}
			}
		})
	}
}
