package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
)

// beside makes this test binary the command that runs beside the emulator: it asks the emulator how it is, and ends with 7.
const beside = "CLOUDRUN_EMULATOR_TEST_COMMAND"

func TestMain(m *testing.M) {
	switch os.Getenv(beside) {
	case "ask":
		response, err := http.Get("http://" + os.Getenv(hostVariable) + "/_emulator/health")
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println(response.Status, os.Args[1:])
		os.Exit(7)
	case "hang":
		fmt.Println("hanging")
		select {}
	}
	os.Exit(m.Run())
}

func TestACommandRunsBesideTheEmulator(t *testing.T) {
	t.Setenv(beside, "ask")
	var out, complaints strings.Builder
	code := run(t.Context(), []string{"--", os.Args[0], "-addr", "x"}, &out, &complaints)
	if code != 7 || out.String() != "200 OK [-addr x]\n" {
		t.Errorf("exit code %d, %q, %q", code, out.String(), complaints.String())
	}
}

func TestACommandIsStoppedWithTheEmulator(t *testing.T) {
	t.Setenv(beside, "hang")
	ctx, cancel := context.WithCancel(t.Context())
	var complaints strings.Builder
	if code := run(ctx, []string{"--", os.Args[0]}, writer(cancel), &complaints); code == exitOK {
		t.Errorf("exit code %d, %q", code, complaints.String())
	}
}

// writer is called when something is written.
type writer func()

func (w writer) Write(p []byte) (int, error) {
	w()
	return len(p), nil
}

func TestACommandThatIsNone(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--"}, exitStartup, "no command after --"},
		{[]string{"--", "/no/such/program"}, exitFailed, "running /no/such/program: "},
		{[]string{"terraform", "test"}, exitStartup, "a command to run comes after --"},
	} {
		var out, complaints strings.Builder
		if code := run(t.Context(), test.args, &out, &complaints); code != test.code || !strings.Contains(complaints.String(), test.says) {
			t.Errorf("%q: exit code %d, %q", test.args, code, complaints.String())
		}
	}
}
