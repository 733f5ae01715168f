package job

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// VPCAccess is the attribute vpc_access: a connector, or a network of the job's own ("Direct VPC").
type VPCAccess struct {
	Connector   types.String
	Network     types.String
	Subnetwork  types.String
	NetworkTags types.List
	Egress      types.String
}

// BinaryAuthorization is the attribute binary_authorization.
type BinaryAuthorization struct {
	UseDefault              types.Bool
	Policy                  types.String
	BreakglassJustification types.String
}

var (
	vpcAccessAttributes = map[string]attr.Type{
		"connector":    types.StringType,
		"network":      types.StringType,
		"subnetwork":   types.StringType,
		"network_tags": stringListType,
		"egress":       types.StringType,
	}
	binaryAuthorizationAttributes = map[string]attr.Type{
		"use_default":              types.BoolType,
		"policy":                   types.StringType,
		"breakglass_justification": types.StringType,
	}
)

// vpcAccess reads the attribute vpc_access; false where it is absent.
func (m Model) vpcAccess() (VPCAccess, bool) {
	return VPCAccess{
		Connector:   stringField(m.VPCAccess, "connector"),
		Network:     stringField(m.VPCAccess, "network"),
		Subnetwork:  stringField(m.VPCAccess, "subnetwork"),
		NetworkTags: listField(m.VPCAccess, "network_tags", types.StringType),
		Egress:      stringField(m.VPCAccess, "egress"),
	}, !m.VPCAccess.IsNull()
}

func (v VPCAccess) object() types.Object {
	return types.ObjectValueMust(vpcAccessAttributes, map[string]attr.Value{
		"connector": v.Connector, "network": v.Network, "subnetwork": v.Subnetwork, "network_tags": v.NetworkTags, "egress": v.Egress,
	})
}

// binaryAuthorization reads the attribute binary_authorization; false where it is absent.
func (m Model) binaryAuthorization() (BinaryAuthorization, bool) {
	return BinaryAuthorization{
		UseDefault:              boolField(m.BinaryAuthorization, "use_default"),
		Policy:                  stringField(m.BinaryAuthorization, "policy"),
		BreakglassJustification: stringField(m.BinaryAuthorization, "breakglass_justification"),
	}, !m.BinaryAuthorization.IsNull()
}

func (b BinaryAuthorization) object() types.Object {
	return types.ObjectValueMust(binaryAuthorizationAttributes, map[string]attr.Value{
		"use_default": b.UseDefault, "policy": b.Policy, "breakglass_justification": b.BreakglassJustification,
	})
}
