package job

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// StartupProbe is containers[].startup_probe: when the container counts as started. Exactly one of its three actions is set.
type StartupProbe struct {
	InitialDelay     types.Int64
	Period           types.Int64
	Timeout          types.Int64
	FailureThreshold types.Int64
	HTTPGet          types.Object
	TCPSocket        types.Object
	GRPC             types.Object
}

// HTTPGet is startup_probe.http_get.
type HTTPGet struct {
	Path    types.String
	Port    types.Int64
	Headers types.Map
}

// GRPCProbe is startup_probe.grpc.
type GRPCProbe struct {
	Port    types.Int64
	Service types.String
}

var (
	httpGetAttributes = map[string]attr.Type{
		"path":    types.StringType,
		"port":    types.Int64Type,
		"headers": types.MapType{ElemType: types.StringType},
	}
	tcpSocketAttributes    = map[string]attr.Type{"port": types.Int64Type}
	grpcAttributes         = map[string]attr.Type{"port": types.Int64Type, "service": types.StringType}
	startupProbeAttributes = map[string]attr.Type{
		"initial_delay_seconds": types.Int64Type,
		"period_seconds":        types.Int64Type,
		"timeout_seconds":       types.Int64Type,
		"failure_threshold":     types.Int64Type,
		"http_get":              types.ObjectType{AttrTypes: httpGetAttributes},
		"tcp_socket":            types.ObjectType{AttrTypes: tcpSocketAttributes},
		"grpc":                  types.ObjectType{AttrTypes: grpcAttributes},
	}
)

// probe reads containers[].startup_probe; all its fields are null where it is absent.
func (c Container) probe() StartupProbe {
	o := c.StartupProbe
	return StartupProbe{
		InitialDelay:     int64Field(o, "initial_delay_seconds"),
		Period:           int64Field(o, "period_seconds"),
		Timeout:          int64Field(o, "timeout_seconds"),
		FailureThreshold: int64Field(o, "failure_threshold"),
		HTTPGet:          objectField(o, "http_get", httpGetAttributes),
		TCPSocket:        objectField(o, "tcp_socket", tcpSocketAttributes),
		GRPC:             objectField(o, "grpc", grpcAttributes),
	}
}

func (p StartupProbe) object() types.Object {
	return types.ObjectValueMust(startupProbeAttributes, map[string]attr.Value{
		"initial_delay_seconds": p.InitialDelay,
		"period_seconds":        p.Period,
		"timeout_seconds":       p.Timeout,
		"failure_threshold":     p.FailureThreshold,
		"http_get":              p.HTTPGet,
		"tcp_socket":            p.TCPSocket,
		"grpc":                  p.GRPC,
	})
}

func (p StartupProbe) httpGet() HTTPGet {
	return HTTPGet{
		Path: stringField(p.HTTPGet, "path"), Port: int64Field(p.HTTPGet, "port"), Headers: mapField(p.HTTPGet, "headers", types.StringType),
	}
}

func (h HTTPGet) object() types.Object {
	return types.ObjectValueMust(httpGetAttributes, map[string]attr.Value{"path": h.Path, "port": h.Port, "headers": h.Headers})
}

func tcpSocket(port types.Int64) types.Object {
	return types.ObjectValueMust(tcpSocketAttributes, map[string]attr.Value{"port": port})
}

func (p StartupProbe) grpc() GRPCProbe {
	return GRPCProbe{Port: int64Field(p.GRPC, "port"), Service: stringField(p.GRPC, "service")}
}

func (g GRPCProbe) object() types.Object {
	return types.ObjectValueMust(grpcAttributes, map[string]attr.Value{"port": g.Port, "service": g.Service})
}
