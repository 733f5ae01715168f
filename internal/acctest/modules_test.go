package acctest

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The suite of each module passes, and fails where the module is not what it says.
func TestModules(t *testing.T) {
	entries, err := os.ReadDir(modules)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		t.Run(entry.Name(), func(t *testing.T) {
			t.Parallel()
			stage := Start(t)
			stage.EmulatorOnly()
			cli := stage.CLI(treeOf(t, filepath.Join(modules, entry.Name())))
			cli.Must("get", "-no-color")
			printed := cli.Must("test", "-no-color")
			if !strings.Contains(printed, ", 0 failed") || strings.Contains(printed, " 0 passed") {
				t.Errorf("the suite did not run as a whole:\n%s", printed)
			}
			stage.emptied()
		})
	}
}

// The suite sees what a change of the module breaks.
func TestModuleSuiteSeesABrokenModule(t *testing.T) {
	t.Parallel()
	for name, change := range map[string][2]string{
		"no bound on the GPUs at once": {"min(var.max_gpus, var.tasks)", "var.tasks"},
		"models that can be written":   {"read_only = true", "read_only = false"},
		"a cache of another size":      {"var.models.cache_size", `"1Gi"`},
		"traffic past the network":     {"ALL_TRAFFIC", "PRIVATE_RANGES_ONLY"},
		"no ceiling of cost":           {"upper_bound_usd <=", "expected_usd / 100 <="},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stage := Start(t)
			stage.EmulatorOnly()
			files := treeOf(t, filepath.Join(modules, "gpu-batch-job"))
			broken := strings.ReplaceAll(files["main.tf"], change[0], change[1])
			if broken == files["main.tf"] {
				t.Fatalf("%q is not in main.tf", change[0])
			}
			files["main.tf"] = broken
			cli := stage.CLI(files)
			if printed, ok := cli.Run("test", "-no-color"); ok {
				t.Errorf("the suite passes:\n%s", printed)
			}
		})
	}
}

// treeOf reads the files below a folder, by their path in it.
func treeOf(t *testing.T, folder string) map[string]string {
	t.Helper()
	files := map[string]string{}
	root := os.DirFS(folder)
	err := fs.WalkDir(root, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.Name() == ".terraform" {
			return fs.SkipDir
		}
		if entry.IsDir() {
			return nil
		}
		text, err := fs.ReadFile(root, path)
		files[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
