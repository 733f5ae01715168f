package jobyaml

import (
	"fmt"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// document is a job of the Cloud Run Admin API v1, as far as a job can be carried over. What is not here is refused: a field
// that got lost silently would be a job that runs differently.
type document struct {
	APIVersion string    `yaml:"apiVersion"`
	Kind       string    `yaml:"kind"`
	Metadata   metadata  `yaml:"metadata"`
	Spec       jobSpec   `yaml:"spec"`
	Status     yaml.Node `yaml:"status"` // what the server found; not asked for
}

// metadata is that of the job; what only the server writes is read and left alone.
type metadata struct {
	Name              string            `yaml:"name"`
	Namespace         string            `yaml:"namespace"` // number or id of the project
	Labels            map[string]string `yaml:"labels"`
	Annotations       map[string]string `yaml:"annotations"`
	CreationTimestamp string            `yaml:"creationTimestamp"`
	Generation        int64             `yaml:"generation"`
	ResourceVersion   string            `yaml:"resourceVersion"`
	SelfLink          string            `yaml:"selfLink"`
	UID               string            `yaml:"uid"`
}

type labelled struct {
	Labels      map[string]string `yaml:"labels"`
	Annotations map[string]string `yaml:"annotations"`
}

type jobSpec struct {
	Template executionTemplate `yaml:"template"`
}

type executionTemplate struct {
	Metadata labelled      `yaml:"metadata"`
	Spec     executionSpec `yaml:"spec"`
}

type executionSpec struct {
	Parallelism number       `yaml:"parallelism"`
	TaskCount   number       `yaml:"taskCount"`
	Template    taskTemplate `yaml:"template"`
}

type taskTemplate struct {
	Spec taskSpec `yaml:"spec"`
}

type taskSpec struct {
	Containers         []container       `yaml:"containers"`
	Volumes            []volume          `yaml:"volumes"`
	MaxRetries         *number           `yaml:"maxRetries"`
	TimeoutSeconds     number            `yaml:"timeoutSeconds"`
	ServiceAccountName string            `yaml:"serviceAccountName"`
	NodeSelector       map[string]string `yaml:"nodeSelector"`
}

type container struct {
	Name         string            `yaml:"name"`
	Image        string            `yaml:"image"`
	Command      []string          `yaml:"command"`
	Args         []string          `yaml:"args"`
	Env          []env             `yaml:"env"`
	Resources    resources         `yaml:"resources"`
	Limits       map[string]string `yaml:"limits"` // where a page of Google's documentation has them
	WorkingDir   string            `yaml:"workingDir"`
	VolumeMounts []mount           `yaml:"volumeMounts"`
	StartupProbe *probe            `yaml:"startupProbe"`
}

type resources struct {
	Limits map[string]string `yaml:"limits"`
}

type env struct {
	Name      string     `yaml:"name"`
	Value     string     `yaml:"value"`
	ValueFrom *valueFrom `yaml:"valueFrom"`
}

type valueFrom struct {
	SecretKeyRef secretKeyRef `yaml:"secretKeyRef"`
}

type secretKeyRef struct {
	Name string `yaml:"name"`
	Key  string `yaml:"key"`
}

type mount struct {
	Name      string `yaml:"name"`
	MountPath string `yaml:"mountPath"`
	SubPath   string `yaml:"subPath"`
}

type probe struct {
	InitialDelaySeconds number     `yaml:"initialDelaySeconds"`
	TimeoutSeconds      number     `yaml:"timeoutSeconds"`
	PeriodSeconds       number     `yaml:"periodSeconds"`
	FailureThreshold    number     `yaml:"failureThreshold"`
	HTTPGet             *httpGet   `yaml:"httpGet"`
	TCPSocket           *tcpSocket `yaml:"tcpSocket"`
	GRPC                *grpcCheck `yaml:"grpc"`
}

type httpGet struct {
	Path        string   `yaml:"path"`
	Port        number   `yaml:"port"`
	HTTPHeaders []header `yaml:"httpHeaders"`
}

type header struct {
	Name  string `yaml:"name"`
	Value string `yaml:"value"`
}

type tcpSocket struct {
	Port number `yaml:"port"`
}

type grpcCheck struct {
	Port    number `yaml:"port"`
	Service string `yaml:"service"`
}

type volume struct {
	Name     string        `yaml:"name"`
	CSI      *csiVolume    `yaml:"csi"`
	NFS      *nfsVolume    `yaml:"nfs"`
	Secret   *secretVolume `yaml:"secret"`
	EmptyDir *emptyDir     `yaml:"emptyDir"`
}

type csiVolume struct {
	Driver           string        `yaml:"driver"`
	ReadOnly         bool          `yaml:"readOnly"`
	VolumeAttributes gcsAttributes `yaml:"volumeAttributes"`
}

type gcsAttributes struct {
	BucketName   string `yaml:"bucketName"`
	MountOptions string `yaml:"mountOptions"` // separated by commas
}

type nfsVolume struct {
	Server   string `yaml:"server"`
	Path     string `yaml:"path"`
	ReadOnly bool   `yaml:"readOnly"`
}

type secretVolume struct {
	SecretName  string       `yaml:"secretName"`
	DefaultMode *number      `yaml:"defaultMode"`
	Items       []secretItem `yaml:"items"`
}

type secretItem struct {
	Key  string  `yaml:"key"` // a version
	Path string  `yaml:"path"`
	Mode *number `yaml:"mode"`
}

type emptyDir struct {
	Medium    string `yaml:"medium"`
	SizeLimit string `yaml:"sizeLimit"`
}

// number is a whole number of 32 bits, which the API also writes as a text: timeoutSeconds: '600'.
type number int32

// UnmarshalYAML reads both forms.
func (n *number) UnmarshalYAML(node *yaml.Node) error {
	parsed, err := strconv.ParseInt(node.Value, 10, 32)
	if node.Kind != yaml.ScalarNode || err != nil {
		return fmt.Errorf("line %d: %q is no whole number", node.Line, node.Value)
	}
	*n = number(parsed)
	return nil
}
