package providerdata_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/providerdata"
)

func TestFrom(t *testing.T) {
	t.Parallel()
	configured := &providerdata.Data{Version: "1.2.3"}
	for name, test := range map[string]struct {
		given     any
		want      *providerdata.Data
		wantError bool
	}{
		"not configured yet":  {given: nil, want: nil},
		"configured":          {given: configured, want: configured},
		"another's data":      {given: "something else", wantError: true},
		"a copy, not a share": {given: struct{ Version string }{"1.2.3"}, wantError: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, diags := providerdata.From(test.given)
			if got != test.want {
				t.Errorf("data %v, want %v", got, test.want)
			}
			if diags.HasError() != test.wantError {
				t.Errorf("diagnostics %v, want an error: %t", diags, test.wantError)
			}
		})
	}
}

func TestOnceIsTrueOnceForEachKey(t *testing.T) {
	t.Parallel()
	var data providerdata.Data
	var said atomic.Int64
	var group sync.WaitGroup
	for i := range 30 {
		group.Go(func() {
			if data.Once(fmt.Sprintf("key %d", i%3)) {
				said.Add(1)
			}
		})
	}
	group.Wait()
	if got := said.Load(); got != 3 {
		t.Errorf("30 questions about 3 keys were answered with yes %d times, want 3", got)
	}
}
