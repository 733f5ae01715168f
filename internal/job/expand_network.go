package job

import "cloud.google.com/go/run/apiv2/runpb"

func expandVPCAccess(m Model, current *runpb.VpcAccess) *runpb.VpcAccess {
	v, ok := m.vpcAccess()
	if !ok {
		return nil
	}
	out := orNew(current)
	out.Connector = v.Connector.ValueString()
	out.Egress = runpb.VpcAccess_VpcEgress(runpb.VpcAccess_VpcEgress_value[v.Egress.ValueString()])
	if !known(v.Network) && !known(v.Subnetwork) {
		out.NetworkInterfaces = nil
		return out
	}
	// The API takes no more than one interface.
	nic := currentOr(out.GetNetworkInterfaces(), func(*runpb.VpcAccess_NetworkInterface) bool { return true })
	nic.Network, nic.Subnetwork, nic.Tags = v.Network.ValueString(), v.Subnetwork.ValueString(), texts(v.NetworkTags)
	out.NetworkInterfaces = []*runpb.VpcAccess_NetworkInterface{nic}
	return out
}

func expandBinaryAuthorization(m Model, current *runpb.BinaryAuthorization) *runpb.BinaryAuthorization {
	b, ok := m.binaryAuthorization()
	if !ok {
		return nil
	}
	out := orNew(current)
	out.BreakglassJustification = b.BreakglassJustification.ValueString()
	out.BinauthzMethod = nil
	switch {
	case known(b.Policy):
		out.BinauthzMethod = &runpb.BinaryAuthorization_Policy{Policy: b.Policy.ValueString()}
	case b.UseDefault.ValueBool():
		out.BinauthzMethod = &runpb.BinaryAuthorization_UseDefault{UseDefault: true}
	}
	return out
}
