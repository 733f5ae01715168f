package emulator

import (
	"connectrpc.com/vanguard"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
)

// jsonCodec is JSON as Google's front door speaks it: what is not set is left out, and what is not known is refused.
type jsonCodec struct {
	vanguard.JSONCodec
	names vanguard.JSONCodec
}

func newJSONCodec(types vanguard.TypeResolver, enumNumbers bool) jsonCodec {
	codec := func(numbers bool) vanguard.JSONCodec {
		return vanguard.JSONCodec{
			MarshalOptions:   protojson.MarshalOptions{Resolver: types, UseEnumNumbers: numbers},
			UnmarshalOptions: protojson.UnmarshalOptions{Resolver: types},
		}
	}
	return jsonCodec{JSONCodec: codec(enumNumbers), names: codec(false)}
}

// MarshalAppend implements vanguard.Codec. An operation has enums only inside its metadata and response, which are of type Any, and
// there they are names even where the caller asked for numbers.
func (c jsonCodec) MarshalAppend(base []byte, message proto.Message) ([]byte, error) {
	switch message.(type) {
	case *longrunningpb.Operation, *longrunningpb.ListOperationsResponse:
		return c.names.MarshalAppend(base, message)
	default:
		return c.JSONCodec.MarshalAppend(base, message)
	}
}
