package job

import "cloud.google.com/go/run/apiv2/runpb"

func expandVPCAccess(m Model) *runpb.VpcAccess {
	v, ok := m.vpcAccess()
	if !ok {
		return nil
	}
	out := &runpb.VpcAccess{
		Connector: v.Connector.ValueString(),
		Egress:    runpb.VpcAccess_VpcEgress(runpb.VpcAccess_VpcEgress_value[v.Egress.ValueString()]),
	}
	if known(v.Network) || known(v.Subnetwork) {
		out.NetworkInterfaces = []*runpb.VpcAccess_NetworkInterface{{
			Network: v.Network.ValueString(), Subnetwork: v.Subnetwork.ValueString(), Tags: texts(v.NetworkTags),
		}}
	}
	return out
}

func expandBinaryAuthorization(m Model) *runpb.BinaryAuthorization {
	b, ok := m.binaryAuthorization()
	if !ok {
		return nil
	}
	out := &runpb.BinaryAuthorization{BreakglassJustification: b.BreakglassJustification.ValueString()}
	switch {
	case known(b.Policy):
		out.BinauthzMethod = &runpb.BinaryAuthorization_Policy{Policy: b.Policy.ValueString()}
	case b.UseDefault.ValueBool():
		out.BinauthzMethod = &runpb.BinaryAuthorization_UseDefault{UseDefault: true}
	}
	return out
}
