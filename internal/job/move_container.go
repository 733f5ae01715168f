package job

import "cloud.google.com/go/run/apiv2/runpb"

type peerContainer struct {
	Name         string               `json:"name"`
	Image        string               `json:"image"`
	Command      []string             `json:"command"`
	Args         []string             `json:"args"`
	WorkingDir   string               `json:"working_dir"`
	Env          []peerEnv            `json:"env"`
	Resources    block[peerResources] `json:"resources"`
	VolumeMounts []peerMount          `json:"volume_mounts"`
	StartupProbe block[peerProbe]     `json:"startup_probe"`
	DependsOn    []string             `json:"depends_on"`
}

type peerEnv struct {
	Name        string                 `json:"name"`
	Value       string                 `json:"value"`
	ValueSource block[peerValueSource] `json:"value_source"`
}

type peerValueSource struct {
	SecretKeyRef block[peerSecretKey] `json:"secret_key_ref"`
}

type peerSecretKey struct {
	Secret  string `json:"secret"`
	Version string `json:"version"`
}

type peerResources struct {
	Limits map[string]string `json:"limits"`
}

type peerMount struct {
	Name      string `json:"name"`
	MountPath string `json:"mount_path"`
	SubPath   string `json:"sub_path"`
}

type peerProbe struct {
	InitialDelay     int32           `json:"initial_delay_seconds"`
	Timeout          int32           `json:"timeout_seconds"`
	Period           int32           `json:"period_seconds"`
	FailureThreshold int32           `json:"failure_threshold"`
	TCPSocket        block[peerPort] `json:"tcp_socket"`
	HTTPGet          block[peerHTTP] `json:"http_get"`
	GRPC             block[peerGRPC] `json:"grpc"`
}

type peerPort struct {
	Port int32 `json:"port"`
}

type peerHTTP struct {
	Path    string       `json:"path"`
	Port    int32        `json:"port"`
	Headers []peerHeader `json:"http_headers"`
}

type peerHeader struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type peerGRPC struct {
	Port    int32  `json:"port"`
	Service string `json:"service"`
}

func (c peerContainer) expand() *runpb.Container {
	out := &runpb.Container{
		Name: c.Name, Image: c.Image, Command: c.Command, Args: c.Args, WorkingDir: c.WorkingDir, DependsOn: c.DependsOn,
		Resources: &runpb.ResourceRequirements{Limits: c.Resources.get().Limits},
	}
	for _, e := range c.Env {
		out.Env = append(out.Env, e.expand())
	}
	for _, m := range c.VolumeMounts {
		out.VolumeMounts = append(out.VolumeMounts, &runpb.VolumeMount{Name: m.Name, MountPath: m.MountPath, SubPath: m.SubPath})
	}
	if len(c.StartupProbe) > 0 {
		out.StartupProbe = c.StartupProbe.get().expand()
	}
	return out
}

func (e peerEnv) expand() *runpb.EnvVar {
	out := &runpb.EnvVar{Name: e.Name, Values: &runpb.EnvVar_Value{Value: e.Value}}
	if len(e.ValueSource) > 0 {
		key := e.ValueSource.get().SecretKeyRef.get()
		out.Values = &runpb.EnvVar_ValueSource{ValueSource: &runpb.EnvVarSource{
			SecretKeyRef: &runpb.SecretKeySelector{Secret: key.Secret, Version: key.Version},
		}}
	}
	return out
}

func (p peerProbe) expand() *runpb.Probe {
	out := &runpb.Probe{
		InitialDelaySeconds: p.InitialDelay, TimeoutSeconds: p.Timeout, PeriodSeconds: p.Period, FailureThreshold: p.FailureThreshold,
	}
	switch {
	case len(p.HTTPGet) > 0:
		get := p.HTTPGet.get()
		action := &runpb.HTTPGetAction{Path: get.Path, Port: get.Port}
		for _, h := range get.Headers {
			action.HttpHeaders = append(action.HttpHeaders, &runpb.HTTPHeader{Name: h.Name, Value: h.Value})
		}
		out.ProbeType = &runpb.Probe_HttpGet{HttpGet: action}
	case len(p.TCPSocket) > 0:
		out.ProbeType = &runpb.Probe_TcpSocket{TcpSocket: &runpb.TCPSocketAction{Port: p.TCPSocket.get().Port}}
	case len(p.GRPC) > 0:
		grpc := p.GRPC.get()
		out.ProbeType = &runpb.Probe_Grpc{Grpc: &runpb.GRPCAction{Port: grpc.Port, Service: grpc.Service}}
	}
	return out
}
