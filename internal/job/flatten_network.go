package job

import (
	"slices"
	"strings"

	"cloud.google.com/go/run/apiv2/runpb"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

func flattenVPCAccess(in *runpb.VpcAccess, prior Model) types.Object {
	if in == nil {
		return types.ObjectNull(vpcAccessAttributes)
	}
	before, _ := prior.vpcAccess()
	nic := &runpb.VpcAccess_NetworkInterface{}
	if len(in.GetNetworkInterfaces()) > 0 {
		nic = in.GetNetworkInterfaces()[0] // the API takes no more than one
	}
	return VPCAccess{
		Connector:   flattenReference(in.GetConnector(), before.Connector),
		Network:     flattenNetworkOf(nic.GetNetwork(), before.Network, before.Subnetwork),
		Subnetwork:  flattenNetworkOf(nic.GetSubnetwork(), before.Subnetwork, before.Network),
		NetworkTags: sameElements(nic.GetTags(), before.NetworkTags),
		Egress:      flattenEgress(in.GetEgress(), before.Egress),
	}.object()
}

// flattenNetworkOf reads a network or subnetwork. Where only the other of the two was written, the server may fill in this
// one; that is no drift as long as the other is there.
func flattenNetworkOf(name string, prior, other types.String) types.String {
	if prior.IsNull() && known(other) {
		return types.StringNull()
	}
	return flattenReference(name, prior)
}

// flattenReference keeps the spelling of a reference that was written in short and is answered in full, or the other way
// round.
func flattenReference(name string, prior types.String) types.String {
	if known(prior) && sameReference(name, prior.ValueString()) {
		return prior
	}
	return optionalString(name, types.StringNull())
}

func sameReference(a, b string) bool {
	return a == b || strings.HasSuffix(a, "/"+b) || strings.HasSuffix(b, "/"+a)
}

func flattenEgress(egress runpb.VpcAccess_VpcEgress, prior types.String) types.String {
	if egress == runpb.VpcAccess_VPC_EGRESS_UNSPECIFIED {
		egress = runpb.VpcAccess_PRIVATE_RANGES_ONLY
	}
	if egress == runpb.VpcAccess_PRIVATE_RANGES_ONLY && !known(prior) {
		return types.StringNull()
	}
	return types.StringValue(egress.String())
}

func flattenBinaryAuthorization(in *runpb.BinaryAuthorization, prior Model) types.Object {
	if in == nil || (in.GetBinauthzMethod() == nil && in.GetBreakglassJustification() == "" && !known(prior.BinaryAuthorization)) {
		return types.ObjectNull(binaryAuthorizationAttributes)
	}
	before, _ := prior.binaryAuthorization()
	out := BinaryAuthorization{
		UseDefault:              types.BoolNull(),
		Policy:                  optionalString(in.GetPolicy(), types.StringNull()),
		BreakglassJustification: optionalString(in.GetBreakglassJustification(), types.StringNull()),
	}
	if in.GetUseDefault() {
		out.UseDefault = types.BoolValue(true)
	} else if known(before.UseDefault) && !before.UseDefault.ValueBool() {
		out.UseDefault = before.UseDefault
	}
	return out.object()
}

// sameElements reads a list whose order means nothing: the order that was written stays while the elements are the same.
func sameElements(in []string, prior types.List) types.List {
	if known(prior) && slices.Equal(slices.Sorted(slices.Values(in)), slices.Sorted(slices.Values(texts(prior)))) {
		return prior
	}
	return stringList(in, prior)
}
