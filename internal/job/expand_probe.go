package job

import (
	"maps"
	"slices"

	"cloud.google.com/go/run/apiv2/runpb"
)

func expandProbe(c Container, current *runpb.Probe) *runpb.Probe {
	if !known(c.StartupProbe) {
		return nil
	}
	p, out := c.probe(), orNew(current)
	out.InitialDelaySeconds = int32(p.InitialDelay.ValueInt64())
	out.PeriodSeconds = int32(p.Period.ValueInt64())
	out.TimeoutSeconds = int32(p.Timeout.ValueInt64())
	out.FailureThreshold = int32(p.FailureThreshold.ValueInt64())
	switch {
	case known(p.HTTPGet):
		out.ProbeType = &runpb.Probe_HttpGet{HttpGet: expandHTTPGet(p.httpGet(), orNew(out.GetHttpGet()))}
	case known(p.TCPSocket):
		port := int64Field(p.TCPSocket, "port")
		socket := orNew(out.GetTcpSocket())
		socket.Port = int32(port.ValueInt64())
		out.ProbeType = &runpb.Probe_TcpSocket{TcpSocket: socket}
	case known(p.GRPC):
		g, service := p.grpc(), orNew(out.GetGrpc())
		service.Port, service.Service = int32(g.Port.ValueInt64()), g.Service.ValueString()
		out.ProbeType = &runpb.Probe_Grpc{Grpc: service}
	}
	return out
}

func expandHTTPGet(h HTTPGet, out *runpb.HTTPGetAction) *runpb.HTTPGetAction {
	out.Path, out.Port = h.Path.ValueString(), int32(h.Port.ValueInt64())
	headers, current := textMap(h.Headers), out.GetHttpHeaders()
	out.HttpHeaders = nil
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		header := currentOr(current, func(old *runpb.HTTPHeader) bool { return old.GetName() == name })
		header.Name, header.Value = name, headers[name]
		out.HttpHeaders = append(out.HttpHeaders, header)
	}
	return out
}
