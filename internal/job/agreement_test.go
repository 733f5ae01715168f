package job

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"google.golang.org/api/option"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/customtype"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/gpu"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/runapi"
)

// The emulator's numbers are written down a second time, from the same sources as the catalogue's. Where the two differ,
// one of them is wrong.
func TestTheEmulatorAgreesWithTheCatalogue(t *testing.T) {
	t.Parallel()
	rules, catalogue := emulator.Rules(), gpu.Default()
	same := func(what string, emulated, known any) {
		t.Helper()
		if fmt.Sprint(emulated) != fmt.Sprint(known) {
			t.Errorf("%s: the emulator has %v, the catalogue %v", what, emulated, known)
		}
	}
	same("sizes without a GPU", rules.Sizes, catalogue.Sizes())
	same("longest task without a GPU", rules.MaxTimeout, catalogue.LongestTask())
	same("number of GPU types", len(rules.GPUs), len(catalogue.Types()))
	quotas := map[string]emulator.Quota{}
	for _, q := range rules.Quotas {
		quotas[q.ID] = q
	}
	for _, g := range rules.GPUs {
		known, ok := catalogue.Type(g.Type)
		if !ok {
			t.Errorf("the catalogue has no %s", g.Type)
			continue
		}
		same(g.Type+" per task", []int64{g.Count}, known.PerTask)
		same(g.Type+" sizes", g.Sizes, known.Sizes)
		same(g.Type+" longest task, GA", g.MaxTimeout, known.LongestTask("GA"))
		same(g.Type+" longest task, BETA", g.MaxTimeoutBeta, known.LongestTask("BETA"))
		same(g.Type+" regions", g.Regions, catalogue.RegionsOf(g.Type))
		same(g.Type+" first use", rules.FirstUseGrant, known.FirstUseGrant)
		for _, q := range []gpu.Quota{known.Quota, known.ZonalQuota} {
			same("metric of "+q.ID, quotas[q.ID].Metric, q.Metric)
			same("unit of "+q.ID, quotas[q.ID].Units, q.PerGPU)
		}
	}
	for _, a := range []gpu.Allocation{catalogue.AllocationQuotas().CPU, catalogue.AllocationQuotas().Memory} {
		same("metric of "+a.ID, quotas[a.ID].Metric, a.Metric)
		same("unit of "+a.ID, quotas[a.ID].Units, a.Unit)
		same("default of "+a.ID, quotas[a.ID].Default, a.Default)
	}
}

// What the offline rules let pass, the API takes; what they refuse, it refuses. Judged over the whole grid of what makes a
// GPU job, not by samples.
func TestTheRulesAgreeWithTheEmulator(t *testing.T) {
	t.Parallel()
	client := emulated(t)
	judged := 0
	for m := range grid() {
		refused := validate(m, gpu.Default()).HasError()
		_, err := client.CreateJob(t.Context(), m.jobName(), expandJob(withResources(m), owned{}, nil, "test"), runapi.ValidateOnly())
		if refused != (err != nil) {
			t.Errorf("rules refuse: %t; the emulator says: %v\nfor gpu = %s, location = %s, task_timeout = %s, launch_stage = %s, containers = %s",
				refused, err, m.GPU, m.Location, m.TaskTimeout, m.LaunchStage, m.Containers)
		}
		judged++
	}
	if judged < 1000 {
		t.Errorf("only %d jobs were judged", judged)
	}
}

// grid makes every job of a grid over GPU type, region, sizes, time and stage.
func grid() func(func(Model) bool) {
	// A type that nobody offers is not among them: the API takes it under validate_only, and refuses it later.
	gpus := []string{"", "nvidia-l4", "nvidia-rtx-pro-6000"}
	regions := []string{"us-central1", "us-east4", "europe-west4", "europe-north1"}
	cpus := []string{"", "0.5", "1", "2", "4", "5", "6000m", "8", "20", "21", "30"}
	memories := []string{"", "256Mi", "512Mi", "4Gi", "16Gi", "32768Mi", "80Gi", "120Gi"}
	lengths := []struct{ timeout, stage string }{{"600s", ""}, {"2h", ""}, {"2h", "BETA"}, {"13h", "BETA"}, {"169h", ""}}
	return func(yield func(Model) bool) {
		for _, g := range gpus {
			for _, region := range regions {
				for _, cpu := range cpus {
					for _, memory := range memories {
						// Time has nothing to do with sizes: one length per size would hide nothing, all of them would take long.
						for _, length := range lengths[:1+4*b2i(cpu == "" && memory == "")] {
							if !yield(gridJob(g, region, cpu, memory, length.timeout, length.stage)) {
								return
							}
						}
					}
				}
			}
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func gridJob(g, region, cpu, memory, timeout, stage string) Model {
	m := plainModel()
	m.Location = types.StringValue(region)
	m.TaskTimeout = customtype.Duration{StringValue: types.StringValue(timeout)}
	if stage != "" {
		m.LaunchStage = types.StringValue(stage)
	}
	if g != "" {
		withGPU(g)(&m)
	}
	if cpu != "" || memory != "" {
		withContainers(sized(cpu, memory))(&m)
	}
	return m
}

// emulated is a client of an emulator with plenty of quota.
func emulated(t *testing.T) *runapi.Client {
	t.Helper()
	server, err := emulator.New(
		emulator.WithQuota("nvidia-l4@*", emulator.Unlimited), emulator.WithQuota("nvidia-rtx-pro-6000@*", emulator.Unlimited),
		emulator.WithQuota("cpu@*", emulator.Unlimited), emulator.WithQuota("memory@*", emulator.Unlimited),
	)
	if err != nil {
		t.Fatal(err)
	}
	client := runapi.New(runapi.Options{Transport: "grpc", RequestTimeout: 10 * time.Second, Dial: func(context.Context) ([]option.ClientOption, error) {
		return []option.ClientOption{
			option.WithEndpoint(server.Addr()), option.WithoutAuthentication(),
			option.WithGRPCDialOption(grpc.WithTransportCredentials(insecure.NewCredentials())),
		}, nil
	}})
	t.Cleanup(func() {
		if err := client.Close(); err != nil {
			t.Error(err)
		}
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return client
}
