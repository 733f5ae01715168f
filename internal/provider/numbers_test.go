package provider

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

func TestNumbersAsTextAreTheSameValue(t *testing.T) {
	t.Parallel()
	of := tftypes.Object{AttributeTypes: map[string]tftypes.Type{
		"small": tftypes.Number, "negative": tftypes.Number, "large": tftypes.Number, "fraction": tftypes.Number, "none": tftypes.Number,
		"text": tftypes.String, "flag": tftypes.Bool,
		"list": tftypes.List{ElementType: tftypes.Number}, "map": tftypes.Map{ElementType: tftypes.Number},
	}}
	number := func(v any) tftypes.Value { return tftypes.NewValue(tftypes.Number, v) }
	want := tftypes.NewValue(of, map[string]tftypes.Value{
		"small": number(3), "negative": number(-40), "large": number(int64(1) << 40), "fraction": number(2.5), "none": number(nil),
		"text": tftypes.NewValue(tftypes.String, "3"), "flag": tftypes.NewValue(tftypes.Bool, true),
		"list": tftypes.NewValue(tftypes.List{ElementType: tftypes.Number}, []tftypes.Value{number(1), number(70000)}),
		"map":  tftypes.NewValue(tftypes.Map{ElementType: tftypes.Number}, map[string]tftypes.Value{"a": number(300)}),
	})
	binary, err := tfprotov6.NewDynamicValue(of, want)
	if err != nil {
		t.Fatal(err)
	}
	text, err := numbersAsText(binary.MsgPack)
	if err != nil {
		t.Fatal(err)
	}
	got, err := tfprotov6.DynamicValue{MsgPack: text}.Unmarshal(of)
	if err != nil {
		t.Fatal(err)
	}
	if !got.Equal(want) {
		t.Errorf("got %s, want %s", got, want)
	}
	if again, err := numbersAsText(text); err != nil || string(again) != string(text) {
		t.Errorf("a number is left that is no text: %v", err)
	}
}

func TestBrokenValuesAreErrors(t *testing.T) {
	t.Parallel()
	for _, broken := range []string{"", "\x81", "\x92\x01", "\xcb\x00", "\xd9\xff"} {
		if _, err := numbersAsText([]byte(broken)); err == nil {
			t.Errorf("%q is taken", broken)
		}
	}
}

func BenchmarkNumbersAsText(b *testing.B) {
	of := tftypes.List{ElementType: tftypes.Number}
	value, err := tfprotov6.NewDynamicValue(of, tftypes.NewValue(of, []tftypes.Value{tftypes.NewValue(tftypes.Number, 300)}))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := numbersAsText(value.MsgPack); err != nil {
			b.Fatal(err)
		}
	}
}
