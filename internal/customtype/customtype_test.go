package customtype_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr/xattr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/customtype"
)

func mode(s string) customtype.FileMode {
	return customtype.FileMode{StringValue: types.StringValue(s)}
}

func duration(s string) customtype.Duration {
	return customtype.Duration{StringValue: types.StringValue(s)}
}

func TestValuesCompareByWhatTheyMean(t *testing.T) {
	t.Parallel()
	quantity := customtype.QuantityValue
	for name, test := range map[string]struct {
		a, b basetypes.StringValuableWithSemanticEquals
		same bool
	}{
		"thousandths":            {quantity("8"), quantity("8000m"), true},
		"a fraction":             {quantity("0.5"), quantity("500m"), true},
		"binary units":           {quantity("16Gi"), quantity("16384Mi"), true},
		"decimal is not binary":  {quantity("1G"), quantity("1Gi"), false},
		"another amount":         {quantity("8"), quantity("8001m"), false},
		"no quantity, same text": {quantity("many"), quantity("many"), true},
		"no quantity":            {quantity("many"), quantity("8"), false},
		"absent":                 {customtype.QuantityNull(), quantity("8"), false},
		"unknown":                {customtype.QuantityUnknown(), quantity("8"), false},
		"another type":           {quantity("600"), duration("600s"), false},
		"hours":                  {duration("1h30m"), duration("5400s"), true},
		"another length":         {duration("1h"), duration("3601s"), false},
		"no unit":                {duration("600"), duration("600s"), false},
		"a leading zero":         {mode("444"), mode("0444"), true},
		"other bits":             {mode("0444"), mode("0440"), false},
		"not octal":              {mode("0999"), mode("0440"), false},
	} {
		same, diags := test.a.StringSemanticEquals(t.Context(), test.b)
		if same != test.same || diags.HasError() {
			t.Errorf("%s: %s and %s: %t %v", name, test.a, test.b, same, diags)
		}
	}
}

func TestWhatIsNoValueIsRefusedAtTheAttribute(t *testing.T) {
	t.Parallel()
	quantity := customtype.QuantityValue
	for name, test := range map[string]struct {
		value xattr.ValidateableAttribute
		does  string // what the message says to write; "" is accepted
	}{
		"quantity":               {quantity("16Gi"), ""},
		"exponent":               {quantity("1e3"), ""},
		"absent quantity":        {customtype.QuantityNull(), ""},
		"unknown quantity":       {customtype.QuantityUnknown(), ""},
		"words":                  {quantity("much"), `"16Gi"`},
		"wrong unit":             {quantity("16GB"), `"16Gi"`},
		"blank before the unit":  {quantity("16 Gi"), `"16Gi"`},
		"nothing":                {quantity(""), `"16Gi"`},
		"zero":                   {quantity("0"), `"16Gi"`},
		"an endless fraction":    {quantity("1e-2147483647"), `"16Gi"`},
		"less than nothing":      {quantity("-1"), `"16Gi"`},
		"duration":               {duration("1h30m"), ""},
		"duration without unit":  {duration("3600"), `"600s"`},
		"duration of nothing":    {duration("0s"), `"600s"`},
		"negative duration":      {duration("-1h"), `"600s"`},
		"mode":                   {mode("0400"), ""},
		"mode with a sticky bit": {mode("1777"), `"0444"`},
		"mode not octal":         {mode("0888"), `"0444"`},
		"mode in words":          {mode("rw-r--r--"), `"0444"`},
	} {
		resp := &xattr.ValidateAttributeResponse{}
		test.value.ValidateAttribute(t.Context(), xattr.ValidateAttributeRequest{Path: path.Root("x")}, resp)
		switch {
		case test.does == "" && len(resp.Diagnostics) > 0:
			t.Errorf("%s is refused: %v", name, resp.Diagnostics)
		case test.does != "" && (len(resp.Diagnostics) != 1 || !strings.Contains(resp.Diagnostics[0].Detail(), test.does)):
			t.Errorf("%s: does not say to write %s: %v", name, test.does, resp.Diagnostics)
		}
	}
}

func TestKeepSpelling(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ state, plan, want types.String }{
		"another spelling": {types.StringValue("8000m"), types.StringValue("8"), types.StringValue("8000m")},
		"another amount":   {types.StringValue("8000m"), types.StringValue("4"), types.StringValue("4")},
		"created":          {types.StringNull(), types.StringValue("8"), types.StringValue("8")},
		"taken away":       {types.StringValue("8"), types.StringNull(), types.StringNull()},
		"not known yet":    {types.StringValue("8"), types.StringUnknown(), types.StringUnknown()},
	} {
		resp := &planmodifier.StringResponse{PlanValue: test.plan}
		modifier := customtype.KeepSpelling(customtype.QuantityType{})
		modifier.PlanModifyString(t.Context(), planmodifier.StringRequest{StateValue: test.state, PlanValue: test.plan}, resp)
		if !resp.PlanValue.Equal(test.want) || resp.Diagnostics.HasError() {
			t.Errorf("%s: %s %v, want %s", name, resp.PlanValue, resp.Diagnostics, test.want)
		}
	}
}

func TestAmounts(t *testing.T) {
	t.Parallel()
	if got := customtype.CPU(20).ValueString(); got != "20" {
		t.Errorf("20 vCPU are written %q", got)
	}
	for bytes, want := range map[int64]string{16 << 30: "16Gi", 512 << 20: "512Mi", 1536 << 20: "1536Mi"} {
		if got := customtype.Memory(bytes).ValueString(); got != want {
			t.Errorf("%d bytes are written %q, want %q", bytes, got, want)
		}
	}
	if n, ok := customtype.QuantityValue("0.5").MilliCPU(); n != 500 || !ok {
		t.Errorf("half a vCPU is %d thousandths", n)
	}
	if n, ok := customtype.QuantityValue("1Ki").Bytes(); n != 1024 || !ok {
		t.Errorf("1Ki is %d bytes", n)
	}
	for d, want := range map[time.Duration]string{time.Hour: "3600s", 1500 * time.Millisecond: "1.5s"} {
		if got := customtype.DurationValue(d).ValueString(); got != want {
			t.Errorf("%s is written %q, want %q", d, got, want)
		}
	}
	if bits, ok := customtype.FileModeValue(0o440).Bits(); bits != 0o440 || !ok {
		t.Errorf("the bits are %o", bits)
	}
}

func FuzzQuantity(f *testing.F) {
	for _, s := range []string{"8", "8000m", "16Gi", "1e3", "-1", "", "9999999999999999999Ei", "1e-9999999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q := customtype.QuantityValue(s)
		if same, _ := q.StringSemanticEquals(t.Context(), q); !same {
			t.Errorf("%q is not the same as itself", s)
		}
		resp := &xattr.ValidateAttributeResponse{}
		q.ValidateAttribute(t.Context(), xattr.ValidateAttributeRequest{Path: path.Root("x")}, resp)
	})
}

func FuzzDuration(f *testing.F) {
	for _, s := range []string{"600s", "1h30m", "1.5s", "-1s", "", "9999999999h"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d := customtype.Duration{StringValue: types.StringValue(s)}
		length, ok := d.Length()
		if again, okAgain := customtype.DurationValue(length).Length(); ok && length >= 0 && (!okAgain || again != length) {
			t.Errorf("%q is %s, written %s", s, length, again)
		}
	})
}
