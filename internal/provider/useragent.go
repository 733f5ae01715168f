package provider

import "strings"

// userAgent names the provider, Terraform and whoever wants to be named too.
func userAgent(version, terraform, appended string) string {
	parts := []string{"terraform-provider-" + typeName + "/" + version}
	if terraform != "" {
		parts = append(parts, "Terraform/"+terraform)
	}
	return strings.Join(append(parts, strings.Fields(appended)...), " ")
}
