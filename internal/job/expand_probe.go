package job

import (
	"maps"
	"slices"

	"cloud.google.com/go/run/apiv2/runpb"
)

func expandProbe(c Container) *runpb.Probe {
	if !known(c.StartupProbe) {
		return nil
	}
	p := c.probe()
	out := &runpb.Probe{
		InitialDelaySeconds: int32(p.InitialDelay.ValueInt64()),
		PeriodSeconds:       int32(p.Period.ValueInt64()),
		TimeoutSeconds:      int32(p.Timeout.ValueInt64()),
		FailureThreshold:    int32(p.FailureThreshold.ValueInt64()),
	}
	switch {
	case known(p.HTTPGet):
		out.ProbeType = &runpb.Probe_HttpGet{HttpGet: expandHTTPGet(p.httpGet())}
	case known(p.TCPSocket):
		port := int64Field(p.TCPSocket, "port")
		out.ProbeType = &runpb.Probe_TcpSocket{TcpSocket: &runpb.TCPSocketAction{Port: int32(port.ValueInt64())}}
	case known(p.GRPC):
		g := p.grpc()
		out.ProbeType = &runpb.Probe_Grpc{Grpc: &runpb.GRPCAction{Port: int32(g.Port.ValueInt64()), Service: g.Service.ValueString()}}
	}
	return out
}

func expandHTTPGet(h HTTPGet) *runpb.HTTPGetAction {
	out := &runpb.HTTPGetAction{Path: h.Path.ValueString(), Port: int32(h.Port.ValueInt64())}
	headers := textMap(h.Headers)
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		out.HttpHeaders = append(out.HttpHeaders, &runpb.HTTPHeader{Name: name, Value: headers[name]})
	}
	return out
}
