package job_test

import (
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/acctest"
)

// The CLI asks for lists from Terraform 1.14 on; here the protocol is spoken directly, so that it is tested with any.
func TestListResource(t *testing.T) {
	t.Parallel()
	stage := acctest.Start(t, plenty...)
	stage.EmulatorOnly()
	stage.CLI(map[string]string{"main.tf": required + aJob(`gpu = { type = "nvidia-l4" }`) + `
		resource "cloudrungpu_job" "plain" {
			name       = "plain"
			containers = [{ image = "a/b" }]
		}
		resource "cloudrungpu_job" "far" {
			name       = "far"
			location   = "europe-west4"
			gpu        = { type = "nvidia-rtx-pro-6000" }
			containers = [{ image = "a/b" }]
		}`}).Must("apply", "-auto-approve")

	for name, test := range map[string]struct {
		location, gpuType string
		want              []string
	}{
		"the provider's region": {"", "", []string{"us-central1/case", "us-central1/plain"}},
		"all regions":           {"-", "", []string{"europe-west4/far", "us-central1/case", "us-central1/plain"}},
		"any GPU":               {"-", "*", []string{"europe-west4/far", "us-central1/case"}},
		"one type":              {"-", "nvidia-l4", []string{"us-central1/case"}},
		"none":                  {"us-east4", "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := listed(t, stage, test.location, test.gpuType)
			slices.Sort(got)
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// listed are the display names that the provider lists; each result must come with its identity and the whole resource.
func listed(t *testing.T, stage *acctest.Stage, location, gpuType string) []string {
	t.Helper()
	lister, ok := stage.Configured().(tfprotov6.ListResourceServer)
	if !ok {
		t.Fatal("the provider lists nothing")
	}
	of := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"project": tftypes.String, "location": tftypes.String, "gpu_type": tftypes.String}}
	config, err := tfprotov6.NewDynamicValue(of, tftypes.NewValue(of, map[string]tftypes.Value{
		"project": tftypes.NewValue(tftypes.String, nil), "location": orNull(location), "gpu_type": orNull(gpuType),
	}))
	if err != nil {
		t.Fatal(err)
	}
	stream, err := lister.ListResource(t.Context(), &tfprotov6.ListResourceRequest{TypeName: "cloudrungpu_job", Config: &config, IncludeResource: true, Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for result := range stream.Results {
		for _, d := range result.Diagnostics {
			t.Errorf("%s: %s", d.Summary, d.Detail)
		}
		if result.Identity == nil || result.Resource == nil {
			t.Errorf("%s comes without identity or resource", result.DisplayName)
		}
		names = append(names, result.DisplayName)
	}
	return names
}

func orNull(s string) tftypes.Value {
	if s == "" {
		return tftypes.NewValue(tftypes.String, nil)
	}
	return tftypes.NewValue(tftypes.String, s)
}
