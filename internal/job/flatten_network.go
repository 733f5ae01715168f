package job

import (
	"path"
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
	network, subnetwork := flattenReference(nic.GetNetwork(), before.Network), flattenReference(nic.GetSubnetwork(), before.Subnetwork)
	// Where only one of the two was written, the server may fill in the other: the network that the subnetwork is part of, or
	// the subnetwork that is called like the network.
	switch {
	case before.Network.IsNull() && known(before.Subnetwork):
		network = types.StringNull()
	case before.Subnetwork.IsNull() && known(before.Network) && path.Base(nic.GetSubnetwork()) == path.Base(nic.GetNetwork()):
		subnetwork = types.StringNull()
	}
	return VPCAccess{
		Connector:   flattenReference(in.GetConnector(), before.Connector),
		Network:     network,
		Subnetwork:  subnetwork,
		NetworkTags: sameElements(nic.GetTags(), before.NetworkTags),
		Egress:      flattenEgress(in.GetEgress(), before.Egress),
	}.object()
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
