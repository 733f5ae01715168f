package provider

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/vmihailenco/msgpack/v5"
	"github.com/vmihailenco/msgpack/v5/msgpcode"
)

// numbersAsText writes a MessagePack value anew with every number as a decimal text, which is one of the forms that
// Terraform reads a number from.
func numbersAsText(in []byte) ([]byte, error) {
	var out bytes.Buffer
	out.Grow(len(in) + 64)
	from, to := msgpack.NewDecoder(bytes.NewReader(in)), msgpack.NewEncoder(&out)
	if err := copyValue(from, to); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func copyValue(from *msgpack.Decoder, to *msgpack.Encoder) error {
	code, err := from.PeekCode()
	if err != nil {
		return fmt.Errorf("reading a value: %w", err)
	}
	switch {
	case msgpcode.IsFixedMap(code), code == msgpcode.Map16, code == msgpcode.Map32:
		n, err := from.DecodeMapLen()
		if err != nil {
			return fmt.Errorf("reading a map: %w", err)
		}
		return copyValues(2*n, from, to, to.EncodeMapLen(n))
	case msgpcode.IsFixedArray(code), code == msgpcode.Array16, code == msgpcode.Array32:
		n, err := from.DecodeArrayLen()
		if err != nil {
			return fmt.Errorf("reading a list: %w", err)
		}
		return copyValues(n, from, to, to.EncodeArrayLen(n))
	case code == msgpcode.Float, code == msgpcode.Double:
		f, err := from.DecodeFloat64()
		if err != nil {
			return fmt.Errorf("reading a number: %w", err)
		}
		return to.EncodeString(strconv.FormatFloat(f, 'f', -1, 64))
	case isInteger(code):
		n, err := from.DecodeInt64()
		if err != nil {
			return fmt.Errorf("reading a number: %w", err)
		}
		return to.EncodeString(strconv.FormatInt(n, 10))
	}
	raw, err := from.DecodeRaw()
	if err != nil {
		return fmt.Errorf("reading a value: %w", err)
	}
	return to.Encode(raw)
}

func copyValues(n int, from *msgpack.Decoder, to *msgpack.Encoder, err error) error {
	for i := 0; i < n && err == nil; i++ {
		err = copyValue(from, to)
	}
	return err
}

func isInteger(code byte) bool {
	switch code {
	case msgpcode.Uint8, msgpcode.Uint16, msgpcode.Uint32, msgpcode.Uint64,
		msgpcode.Int8, msgpcode.Int16, msgpcode.Int32, msgpcode.Int64:
		return true
	}
	return msgpcode.IsFixedNum(code)
}
