package jobyaml

import (
	"maps"
	"slices"
	"strings"

	"cloud.google.com/go/run/apiv2/runpb"
)

var limits = []string{"cpu", "memory", "nvidia.com/gpu"}

func (c *converter) container(i int, in container) *runpb.Container {
	out := &runpb.Container{
		Name: in.Name, Image: in.Image, Command: in.Command, Args: in.Args, WorkingDir: in.WorkingDir,
		Resources:    &runpb.ResourceRequirements{Limits: c.limits(i, in)},
		StartupProbe: c.probe(i, in.StartupProbe),
	}
	for _, v := range in.Env {
		out.Env = append(out.Env, c.env(v))
	}
	for _, m := range in.VolumeMounts {
		out.VolumeMounts = append(out.VolumeMounts, &runpb.VolumeMount{Name: m.Name, MountPath: m.MountPath, SubPath: m.SubPath})
	}
	return out
}

// limits takes them from where the API has them, and from where a page of Google's documentation shows them.
func (c *converter) limits(i int, in container) map[string]string {
	all := maps.Clone(in.Resources.Limits)
	if all == nil {
		all = map[string]string{}
	}
	for key, value := range in.Limits {
		if other, twice := all[key]; twice && other != value {
			c.fault("containers[%d] has the limit %q twice, as %q and as %q", i, key, shorten(other), shorten(value))
		}
		all[key] = value
	}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if !slices.Contains(limits, key) {
			c.fault("containers[%d].resources.limits[%q] is none of %s", i, shorten(key), strings.Join(limits, ", "))
		}
	}
	return all
}

func (c *converter) env(in env) *runpb.EnvVar {
	if in.ValueFrom == nil {
		return &runpb.EnvVar{Name: in.Name, Values: &runpb.EnvVar_Value{Value: in.Value}}
	}
	ref := in.ValueFrom.SecretKeyRef
	return &runpb.EnvVar{Name: in.Name, Values: &runpb.EnvVar_ValueSource{ValueSource: &runpb.EnvVarSource{
		SecretKeyRef: &runpb.SecretKeySelector{Secret: c.secret(ref.Name), Version: ref.Key},
	}}}
}

func (c *converter) probe(i int, in *probe) *runpb.Probe {
	if in == nil {
		return nil
	}
	out := &runpb.Probe{
		InitialDelaySeconds: int32(in.InitialDelaySeconds), TimeoutSeconds: int32(in.TimeoutSeconds),
		PeriodSeconds: int32(in.PeriodSeconds), FailureThreshold: int32(in.FailureThreshold),
	}
	kinds := 0
	if in.HTTPGet != nil {
		kinds++
		get := &runpb.HTTPGetAction{Path: in.HTTPGet.Path, Port: int32(in.HTTPGet.Port)}
		for _, h := range in.HTTPGet.HTTPHeaders {
			get.HttpHeaders = append(get.HttpHeaders, &runpb.HTTPHeader{Name: h.Name, Value: h.Value})
		}
		out.ProbeType = &runpb.Probe_HttpGet{HttpGet: get}
	}
	if in.TCPSocket != nil {
		kinds++
		out.ProbeType = &runpb.Probe_TcpSocket{TcpSocket: &runpb.TCPSocketAction{Port: int32(in.TCPSocket.Port)}}
	}
	if in.GRPC != nil {
		kinds++
		out.ProbeType = &runpb.Probe_Grpc{Grpc: &runpb.GRPCAction{Port: int32(in.GRPC.Port), Service: in.GRPC.Service}}
	}
	if kinds != 1 {
		c.fault("containers[%d].startupProbe needs exactly one of httpGet, tcpSocket and grpc, and has %d", i, kinds)
	}
	return out
}
