package provider

import (
	"context"
	"encoding/json"

	"cloud.google.com/go/auth"
	"cloud.google.com/go/auth/credentials"
	"google.golang.org/api/option"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/diagnose"
)

// dialer makes the options of API clients, when they first call.
type dialer struct {
	set  settings
	keys *keyring
}

func newDialer(set settings) *dialer {
	return &dialer{set: set, keys: &keyring{id: set.identity, universe: set.universeDomain}}
}

// to returns what a client of the service runs once, at its first call.
func (d *dialer) to(s service) func(context.Context) ([]option.ClientOption, error) {
	return func(ctx context.Context) ([]option.ClientOption, error) {
		if d.set.emulator != nil {
			return d.plainText(*d.set.emulator), nil
		}
		own, elsewhere := d.set.endpoints[s.attribute]
		if elsewhere && own.plainText {
			return d.plainText(own), nil
		}
		options, err := d.google(ctx, s)
		if err != nil {
			return nil, err
		}
		if elsewhere {
			options = append(options, option.WithEndpoint(d.address(own, "https")))
		}
		return options, nil
	}
}

// google is a client with credentials, at Google's own address.
func (d *dialer) google(ctx context.Context, s service) ([]option.ClientOption, error) {
	if len(d.set.unknown) > 0 {
		return nil, diagnose.NotYetKnown(d.set.unknown)
	}
	found, err := d.keys.credentials(ctx)
	if err != nil {
		return nil, err
	}
	options := append(d.always(), option.WithAuthCredentials(found))
	if d.set.universeDomain != "" {
		options = append(options, option.WithUniverseDomain(d.set.universeDomain))
	}
	if d.set.requestReason != "" {
		options = append(options, option.WithRequestReason(d.set.requestReason))
	}
	project, err := d.quotaProject(ctx, s, found)
	if err != nil {
		return nil, err
	}
	if project != "" {
		options = append(options, option.WithQuotaProject(project))
	}
	return options, nil
}

// plainText is a client without TLS and without credentials.
func (d *dialer) plainText(e endpoint) []option.ClientOption {
	options := append(d.always(), option.WithEndpoint(d.address(e, "http")), option.WithoutAuthentication())
	if d.set.transport == "grpc" {
		options = append(options, option.WithGRPCDialOption(grpc.WithTransportCredentials(insecure.NewCredentials())))
	}
	return options
}

// always is what every client has. The libraries would measure every call for OpenTelemetry; nobody collects that here.
func (d *dialer) always() []option.ClientOption {
	return []option.ClientOption{option.WithUserAgent(d.set.userAgent), option.WithTelemetryDisabled()}
}

// address spells an endpoint as the transport wants it.
func (d *dialer) address(e endpoint, scheme string) string {
	if d.set.transport == "rest" {
		return scheme + "://" + e.host
	}
	if e.hasPort() {
		return e.host
	}
	return e.host + map[string]string{"http": ":80", "https": ":443"}[scheme]
}

// quotaProject is the project that calls to a service are counted against; "" leaves that to the credentials.
func (d *dialer) quotaProject(ctx context.Context, s service, found *auth.Credentials) (string, error) {
	if d.set.userProjectOverride {
		if d.set.billingProject != "" {
			return d.set.billingProject, nil
		}
		return d.set.project.ValueString(), nil
	}
	if !s.countsCaller || !isUserLogin(found) {
		return "", nil
	}
	own, err := found.QuotaProjectID(ctx)
	if err != nil {
		return "", diagnose.CredentialsUnreadable(d.set.identity.origin, err)
	}
	if own != "" {
		return "", nil
	}
	return d.set.project.ValueString(), nil
}

// isUserLogin reports whether credentials are those of a person.
func isUserLogin(found *auth.Credentials) bool {
	var head struct {
		Type credentials.CredType `json:"type"`
	}
	if json.Unmarshal(found.JSON(), &head) != nil {
		return false // no file: a token, or a machine's own account
	}
	return head.Type == credentials.AuthorizedUser || head.Type == credentials.ExternalAccountAuthorizedUser
}
