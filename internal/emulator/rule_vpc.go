package emulator

import "regexp"

var connectorPattern = regexp.MustCompile(`^projects/[^/]+/locations/[^/]+/connectors/[^/]+$`)

// checkVPC is about the way into a VPC. Whether the network is there, the service does not look.
func (c *checker) checkVPC() {
	vpc := c.task().GetVpcAccess()
	if vpc == nil {
		return
	}
	const field = "template.template.vpc_access"
	interfaces := vpc.GetNetworkInterfaces()
	switch {
	case (vpc.GetConnector() == "") == (len(interfaces) == 0):
		c.request(field+".connector", "one and only one of connector and network_interfaces must be set.")
	case len(interfaces) > 1:
		c.request(field+".network_interfaces", "only 1 network interface is allowed")
	case len(interfaces) == 1 && interfaces[0].GetNetwork() == "" && interfaces[0].GetSubnetwork() == "":
		c.request(field+".network_interfaces[0]", "at least one of network or subnetwork should not be empty")
	case len(interfaces) == 0 && !connectorPattern.MatchString(vpc.GetConnector()):
		c.request(field+".connector", "must be in form projects/{project}/locations/{location}/connectors/{connector}")
	}
}
