package emulator_test

import (
	"net/url"
	"testing"
	"time"

	"cloud.google.com/go/run/apiv2/runpb"
)

func TestTimeSeries(t *testing.T) {
	_, options := timed()
	server := start(t, options...)
	client := grpcClients(t, server)
	read := func(kind, metric, region string) any {
		query := url.Values{
			"filter": {`metric.type="serviceruntime.googleapis.com/quota/` + kind + `" AND resource.type = "consumer_quota" AND resource.labels.service="run.googleapis.com"` +
				` AND metric.labels.quota_metric="run.googleapis.com/` + metric + `" AND resource.labels.location="` + region + `"`},
			"interval.startTime": {startOfTime.Add(-24 * time.Hour).Format(time.RFC3339)},
			"interval.endTime":   {startOfTime.Format(time.RFC3339)},
		}
		code, series := call(t, server, "GET", "/v3/"+project+"/timeSeries?"+query.Encode(), "")
		if code != 200 || at(series, "timeSeries", 1) != nil {
			t.Fatalf("got %d %v", code, series)
		}
		return at(series, "timeSeries", 0, "points", 0, "value", "int64Value")
	}
	const l4, rtxMetric = "nvidia_l4_gpu_allocation_no_zonal_redundancy", "nvidia_rtx_pro_6000_gpu_allocation_no_zonal_redundancy"
	if got := read("allocation/usage", l4, "us-central1"); got != nil {
		t.Errorf("use before any job is %v, want no series", got)
	}
	job := gpuJob()
	rtx(job, "20", "80Gi")
	job.Template.TaskCount, job.Template.Parallelism = 5, 2
	create(t, client, "train", job)
	if got := read("allocation/usage", rtxMetric, "us-central1"); got != "0" {
		t.Errorf("use before any run is %v", got)
	}
	runJob(t, client, &runpb.RunJobRequest{})
	for metric, want := range map[string]string{rtxMetric: "2000", "cpu_allocation": "40000", "mem_allocation": "171798691840"} {
		if got := read("allocation/usage", metric, "us-central1"); got != want {
			t.Errorf("use of %s is %v, want %s", metric, got, want)
		}
	}
	if got := read("limit", rtxMetric, "europe-west4"); got != "100000" {
		t.Errorf("limit is %v", got)
	}
	for _, bad := range []string{"filter=nonsense", "filter=resource.type%3D%22x%22", "filter=metric.type%3D%22x%22", "interval.endTime=soon"} {
		if code, answer := call(t, server, "GET", "/v3/"+project+"/timeSeries?"+bad, ""); code != 400 {
			t.Errorf("%s: %d %v", bad, code, answer)
		}
	}
}
