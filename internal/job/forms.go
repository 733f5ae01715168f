package job

import "regexp"

// The forms that strings of a job must have, beside those in validators.go.
var (
	volumeNameForm = form{
		pattern: regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`),
		longest: 63,
		noun:    "a volume name",
		rule:    "A volume name has 1 to 63 lower-case letters, digits and hyphens, with a letter or digit at both ends.",
		example: "models",
	}
	sqlInstanceForm = form{
		pattern: regexp.MustCompile(`^[^:\s]+(:[^:\s]+)?:[^:\s]+:[^:\s]+$`), // a project may be "example.com:p"
		noun:    "a Cloud SQL instance",
		rule:    "A Cloud SQL instance is named by its connection name, project:location:instance.",
		example: "my-project:us-central1:my-instance",
	}
	bucketForm = form{
		pattern: regexp.MustCompile(`^[a-z0-9][-_.a-z0-9]{1,220}[a-z0-9]$|^[a-z0-9]$`),
		noun:    "a bucket name",
		rule:    "A bucket is named by lower-case letters, digits, hyphens, underscores and dots, without gs:// and without a path.",
		example: "my-models",
	}
	mountOptionForm = form{
		pattern: regexp.MustCompile(`^[A-Za-z0-9][^\s]*$`),
		noun:    "a mount option",
		rule:    "An option of Cloud Storage FUSE is written without leading hyphens and without blanks.",
		example: "enable-buffered-read=true",
	}
	probePathForm = form{
		pattern: regexp.MustCompile(`^/`),
		noun:    "a path to ask for",
		rule:    "The path of an HTTP probe begins with a slash.",
		example: "/ready",
	}
	connectorForm = form{
		pattern: regexp.MustCompile(`^projects/[^/\s]+/locations/[^/\s]+/connectors/[^/\s]+$`),
		noun:    "a VPC Access connector",
		rule:    "A connector is named in full: projects/PROJECT/locations/REGION/connectors/NAME.",
		example: "projects/my-project/locations/us-central1/connectors/my-connector",
	}
	policyForm = form{
		pattern: regexp.MustCompile(`^projects/[^/\s]+/platforms/cloudRun/[^/\s]+$`),
		noun:    "a platform policy",
		rule:    "A policy of Binary Authorization is named in full: projects/PROJECT/platforms/cloudRun/NAME.",
		example: "projects/my-project/platforms/cloudRun/my-policy",
	}
	encryptionKeyForm = form{
		pattern: regexp.MustCompile(`^projects/[^/\s]+/locations/[^/\s]+/keyRings/[^/\s]+/cryptoKeys/[^/\s]+$`),
		noun:    "a Cloud KMS key",
		rule:    "A key is named in full, without a version: projects/PROJECT/locations/REGION/keyRings/RING/cryptoKeys/KEY.",
		example: "projects/my-project/locations/us-central1/keyRings/my-ring/cryptoKeys/my-key",
	}
)
