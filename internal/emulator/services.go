package emulator

import (
	"cloud.google.com/go/billing/apiv1/billingpb"
	"cloud.google.com/go/cloudquotas/apiv1/cloudquotaspb"
	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	"cloud.google.com/go/monitoring/apiv3/v2/monitoringpb"
	"cloud.google.com/go/run/apiv2/runpb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// newGRPCServer offers what the emulator answers, and names the rest of Cloud Run, so that a call of it is refused by its name.
func newGRPCServer(s *Server) *grpc.Server {
	server := grpc.NewServer(grpc.UnaryInterceptor(s.intercept), grpc.UnknownServiceHandler(s.unknown), grpc.MaxRecvMsgSize(maxBody))
	runpb.RegisterJobsServer(server, jobsServer{s.state})
	runpb.RegisterExecutionsServer(server, executionsServer{s.state})
	runpb.RegisterTasksServer(server, tasksServer{s.state})
	longrunningpb.RegisterOperationsServer(server, operationsServer{state: s.state})
	cloudquotaspb.RegisterCloudQuotasServer(server, quotasServer{state: s.state})
	monitoringpb.RegisterMetricServiceServer(server, metricsServer{state: s.state})
	billingpb.RegisterCloudCatalogServer(server, catalogServer{})

	runpb.RegisterServicesServer(server, &runpb.UnimplementedServicesServer{})
	runpb.RegisterRevisionsServer(server, &runpb.UnimplementedRevisionsServer{})
	runpb.RegisterWorkerPoolsServer(server, &runpb.UnimplementedWorkerPoolsServer{})
	runpb.RegisterInstancesServer(server, &runpb.UnimplementedInstancesServer{})
	runpb.RegisterBuildsServer(server, &runpb.UnimplementedBuildsServer{})
	return server
}

// unknown answers a gRPC call of anything else.
func (s *Server) unknown(_ any, stream grpc.ServerStream) error {
	full, ok := grpc.MethodFromServerStream(stream)
	if !ok {
		return status.Error(codes.Internal, "the call has no method")
	}
	err := unimplemented(dotted(full))
	s.note(Request{Method: shortMethod(full), Door: doorGRPC}, nil, nil, err)
	return err
}
