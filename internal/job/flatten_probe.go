package job

import (
	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// defaultPort is the one that the server fills in where a probe names none.
const defaultPort = 8080

func flattenProbe(in *runpb.Probe, prior Container) types.Object {
	if in == nil {
		return types.ObjectNull(startupProbeAttributes)
	}
	before := prior.probe()
	out := StartupProbe{
		InitialDelay:     types.Int64Value(int64(in.GetInitialDelaySeconds())),
		Period:           orServerDefault(in.GetPeriodSeconds(), 10),
		Timeout:          orServerDefault(in.GetTimeoutSeconds(), 1),
		FailureThreshold: orServerDefault(in.GetFailureThreshold(), 3),
		HTTPGet:          types.ObjectNull(httpGetAttributes),
		TCPSocket:        types.ObjectNull(tcpSocketAttributes),
		GRPC:             types.ObjectNull(grpcAttributes),
	}
	switch {
	case in.GetHttpGet() != nil:
		out.HTTPGet = flattenHTTPGet(in.GetHttpGet(), before.httpGet()).object()
	case in.GetTcpSocket() != nil:
		out.TCPSocket = tcpSocket(orServerDefault(in.GetTcpSocket().GetPort(), defaultPort))
	case in.GetGrpc() != nil:
		out.GRPC = GRPCProbe{
			Port:    orServerDefault(in.GetGrpc().GetPort(), defaultPort),
			Service: optionalString(in.GetGrpc().GetService(), before.grpc().Service),
		}.object()
	}
	return out.object()
}

func flattenHTTPGet(in *runpb.HTTPGetAction, prior HTTPGet) HTTPGet {
	path := in.GetPath()
	if path == "" {
		path = "/"
	}
	headers := make(map[string]string, len(in.GetHttpHeaders()))
	for _, h := range in.GetHttpHeaders() {
		headers[h.GetName()] = h.GetValue()
	}
	return HTTPGet{
		Path: types.StringValue(path), Port: orServerDefault(in.GetPort(), defaultPort), Headers: stringMap(headers, prior.Headers),
	}
}

// orServerDefault reads a number that the server fills in where it is 0.
func orServerDefault(n, byDefault int32) types.Int64 {
	if n == 0 {
		n = byDefault
	}
	return types.Int64Value(int64(n))
}
