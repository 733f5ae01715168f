package job_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// The plugin library leaves much garbage behind at every call that Terraform makes: collecting it seldom saves a fifth of the
// time that these tests take.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
