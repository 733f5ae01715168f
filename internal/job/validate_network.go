package job

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
)

// checkVPCAccess sees that there is one way into the network, and one only.
func checkVPCAccess(c configuration) (diags diag.Diagnostics) {
	v, ok := c.vpcAccess()
	if !ok || c.VPCAccess.IsUnknown() {
		return nil
	}
	here := path.Root("vpc_access")
	direct := known(v.Network) || known(v.Subnetwork)
	switch {
	case known(v.Connector) && direct:
		diags.Append(diagnose.Invalid(here.AtName("connector"), diagnose.Message{
			What: "vpc_access has a connector and a network of its own.",
			Why:  "A job reaches its VPC one way or the other.",
			Do:   "Keep connector, or keep network and subnetwork. Direct access (network) is the faster of the two.",
		}))
	case v.Connector.IsNull() && v.Network.IsNull() && v.Subnetwork.IsNull():
		diags.Append(diagnose.Invalid(here, diagnose.Message{
			What: "vpc_access names no network.",
			Do:   "Set network, subnetwork or both, or a connector; or leave vpc_access out.",
		}))
	}
	if known(v.NetworkTags) && len(v.NetworkTags.Elements()) > 0 && v.Network.IsNull() && v.Subnetwork.IsNull() {
		diags.Append(diagnose.Invalid(here.AtName("network_tags"), diagnose.Message{
			What: "network_tags go with network or subnetwork only.",
			Do:   "Leave them out, or set network.",
		}))
	}
	return diags
}

// checkBinaryAuthorization sees that one policy applies, and one only.
func checkBinaryAuthorization(c configuration) (diags diag.Diagnostics) {
	b, ok := c.binaryAuthorization()
	if !ok || c.BinaryAuthorization.IsUnknown() {
		return nil
	}
	here := path.Root("binary_authorization")
	switch {
	case b.UseDefault.ValueBool() && known(b.Policy):
		diags.Append(diagnose.Invalid(here.AtName("policy"), diagnose.Message{
			What: "binary_authorization has a policy and use_default = true.",
			Do:   "Keep one of the two.",
		}))
	case !b.UseDefault.IsUnknown() && !b.UseDefault.ValueBool() && b.Policy.IsNull():
		diags.Append(diagnose.Invalid(here, diagnose.Message{
			What: "binary_authorization names no policy.",
			Do:   "Set use_default = true or policy; or leave binary_authorization out.",
		}))
	}
	return diags
}
