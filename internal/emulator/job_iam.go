package emulator

import (
	"context"

	"cloud.google.com/go/iam/apiv1/iampb"
	"google.golang.org/protobuf/proto"
)

// GetIamPolicy implements runpb.JobsServer.
func (s jobsServer) GetIamPolicy(_ context.Context, request *iampb.GetIamPolicyRequest) (*iampb.Policy, error) {
	name, err := parseJob("resource", request.GetResource())
	if err != nil {
		return nil, err
	}
	_, leave := s.enter()
	defer leave()
	j, err := s.findJob(name)
	if err != nil {
		return nil, err
	}
	return proto.CloneOf(j.policy), nil
}

// SetIamPolicy implements runpb.JobsServer. The whole policy is replaced, under the lock of its etag.
func (s jobsServer) SetIamPolicy(_ context.Context, request *iampb.SetIamPolicyRequest) (*iampb.Policy, error) {
	name, err := parseJob("resource", request.GetResource())
	if err != nil {
		return nil, err
	}
	now, leave := s.enter()
	defer leave()
	j, err := s.findJob(name)
	if err != nil {
		return nil, err
	}
	if err := checkEtag(name.id(), string(request.GetPolicy().GetEtag()), string(j.policy.GetEtag())); err != nil {
		return nil, err
	}
	policy := &iampb.Policy{}
	if request.GetPolicy() != nil {
		policy = proto.CloneOf(request.GetPolicy())
	}
	policy.Version = max(policy.GetVersion(), 1)
	policy.Etag = []byte(etagOf(s.nextVersion(now)))
	j.policy = policy
	return proto.CloneOf(policy), nil
}

// TestIamPermissions implements runpb.JobsServer. The emulator forbids nothing, so the caller has whatever is asked for.
func (s jobsServer) TestIamPermissions(_ context.Context, request *iampb.TestIamPermissionsRequest) (*iampb.TestIamPermissionsResponse, error) {
	name, err := parseJob("resource", request.GetResource())
	if err != nil {
		return nil, err
	}
	_, leave := s.enter()
	defer leave()
	if _, err := s.findJob(name); err != nil {
		return nil, err
	}
	return &iampb.TestIamPermissionsResponse{Permissions: request.GetPermissions()}, nil
}
