package job

import "testing"

// What a message recommends must be accepted; that also compiles every pattern.
func TestTheExampleOfEveryFormFitsIt(t *testing.T) {
	for _, f := range []form{
		jobNameForm, containerNameForm, serviceAccountForm, secretForm, secretVersionForm, volumeNameForm, sqlInstanceForm,
		bucketForm, mountOptionForm, probePathForm, connectorForm, policyForm, encryptionKeyForm,
	} {
		if !f.fits(f.example) {
			t.Errorf("%s: %q does not fit", f.noun, f.example)
		}
	}
}
