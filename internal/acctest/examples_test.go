package acctest

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/emulator"
)

const (
	examples = "../../examples"
	modules  = examples + "/modules"
)

// requirement is what an example that is only a part of a module goes without.
const requirement = `
terraform {
  required_providers {
    cloudrungpu = { source = "cloudrungpu/cloudrungpu" }
  }
}
`

// TestExamples applies every example, plans again, and destroys it.
func TestExamples(t *testing.T) {
	found := exampleFolders(t)
	if len(found) == 0 {
		t.Fatal("there is no example")
	}
	for _, folder := range found {
		t.Run(folder, func(t *testing.T) {
			t.Parallel()
			stage := Start(t, projectOf(folder)...)
			stage.EmulatorOnly()
			cli := stage.CLI(exampleFiles(t, filepath.Join(examples, folder)))
			for name, text := range treeOf(t, modules) {
				cli.Write("../modules/"+name, text)
			}
			if strings.HasPrefix(folder, "actions/") && !cli.atLeast(t, 1, 14) {
				t.Skip("needs Terraform 1.14, which has actions")
			}
			cli.Must("get", "-no-color")
			cli.Must("apply", "-auto-approve", "-no-color")
			if printed, ok := cli.Run("plan", "-detailed-exitcode", "-no-color"); !ok {
				t.Errorf("the plan after apply is not empty:\n%s", printed)
			}
			cli.Must("destroy", "-auto-approve", "-no-color")
			stage.emptied()
		})
	}
}

// projectOf gives an example its quotas: those of a new project, but for the examples of a resource, which are about GPUs and
// not about how to come by CPU and memory for them.
func projectOf(folder string) []emulator.Option {
	if !strings.HasPrefix(folder, "resources/") {
		return nil
	}
	return []emulator.Option{emulator.WithQuota("cpu@*", emulator.Unlimited), emulator.WithQuota("memory@*", emulator.Unlimited)}
}

// Every type that the provider offers has an example where the documentation looks for it.
func TestEveryTypeHasAnExample(t *testing.T) {
	t.Parallel()
	schemas := providerSchemas(t)
	wanted := []string{"provider/provider.tf"}
	for name := range schemas.ResourceSchemas {
		wanted = append(wanted, "resources/"+name+"/resource.tf")
	}
	for name := range schemas.DataSourceSchemas {
		wanted = append(wanted, "data-sources/"+name+"/data-source.tf")
	}
	for name := range schemas.ActionSchemas {
		wanted = append(wanted, "actions/"+name+"/action.tf")
	}
	for name := range schemas.Functions {
		wanted = append(wanted, "functions/"+name+"/function.tf")
	}
	if len(wanted) < 3 {
		t.Fatalf("the provider offers nothing but %v", wanted)
	}
	for _, file := range wanted {
		if _, err := os.Stat(filepath.Join(examples, file)); err != nil {
			t.Errorf("%s is not there", file)
		}
	}
}

// providerSchemas is what Terraform learns of the provider.
func providerSchemas(t *testing.T) *tfprotov6.GetProviderSchemaResponse {
	t.Helper()
	server, err := Start(t).Providers()["cloudrungpu"]()
	if err != nil {
		t.Fatal(err)
	}
	resp, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range resp.Diagnostics {
		t.Errorf("%s: %s", d.Summary, d.Detail)
	}
	return resp
}

// exampleFolders lists the folders with Terraform files below examples.
func exampleFolders(t *testing.T) []string {
	t.Helper()
	folders := map[string]bool{}
	err := filepath.WalkDir(examples, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.Name() == ".terraform" || path == modules {
			return filepath.SkipDir // a module is applied by the examples that call it
		}
		if filepath.Ext(path) != ".tf" {
			return nil
		}
		folder, err := filepath.Rel(examples, filepath.Dir(path))
		folders[filepath.ToSlash(folder)] = true
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(maps.Keys(folders))
}

// exampleFiles are the files of one example, without those that show an import: there is nothing to import yet.
func exampleFiles(t *testing.T, folder string) map[string]string {
	t.Helper()
	var paths []string
	for _, pattern := range []string{"*.tf", "*.yaml"} {
		found, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, found...)
	}
	files, complete := map[string]string{}, false
	for _, path := range paths {
		if strings.HasPrefix(filepath.Base(path), "import") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(path)] = string(text)
		complete = complete || strings.Contains(string(text), "required_providers")
	}
	if !complete {
		files["requirement.tf"] = requirement
	}
	return files
}
