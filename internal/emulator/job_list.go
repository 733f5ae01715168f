package emulator

import (
	"context"
	"fmt"

	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/protobuf/proto"
)

// ListJobs implements runpb.JobsServer. The jobs come in the order of their names; "-" as location lists those of all.
func (s jobsServer) ListJobs(_ context.Context, request *runpb.ListJobsRequest) (*runpb.ListJobsResponse, error) {
	parent, err := parseLocation("parent", request.GetParent())
	if err != nil {
		return nil, err
	}
	now, leave := s.enter()
	defer leave()
	byKey := map[string]*runpb.Job{}
	for name, j := range s.jobs {
		if parent.contains(name) {
			byKey[name] = j.message
		}
	}
	if request.GetShowDeleted() {
		for _, gone := range s.deleted {
			if parent.contains(gone.GetName()) && gone.GetExpireTime().AsTime().After(now) {
				// A name may have been deleted several times.
				byKey[gone.GetName()+" "+gone.GetUid()] = gone
			}
		}
	}
	keys := make([]string, 0, len(byKey))
	for key := range byKey {
		keys = append(keys, key)
	}
	list := fmt.Sprintf("jobs %s %t", parent, request.GetShowDeleted())
	page, next, err := pageRequest{list, request.GetPageSize(), request.GetPageToken()}.cut(keys)
	if err != nil {
		return nil, err
	}
	response := &runpb.ListJobsResponse{NextPageToken: next}
	for _, key := range page {
		response.Jobs = append(response.Jobs, proto.CloneOf(byKey[key]))
	}
	return response, nil
}
