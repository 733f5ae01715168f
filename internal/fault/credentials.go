package fault

import (
	"context"
	"errors"

	"cloud.google.com/go/auth"
	"golang.org/x/oauth2"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Opening turns the error of making a client into a *Fault. Making one sends nothing: what can fail is finding and
// reading credentials, and the auth library gives those errors no type of their own.
func Opening(service string, err error) error {
	if err == nil {
		return nil
	}
	if _, done := As(err); done {
		return err
	}
	f := classify(err)
	if f.Code == codes.Unknown {
		f.Code, f.Credentials = codes.Unauthenticated, true
	}
	return f.of(service, err)
}

// Tokens wraps a token provider so that its errors can be told from those of the API through both transports. Without
// it, an identity that may not be impersonated looks like any other failure over REST.
func Tokens(p auth.TokenProvider) auth.TokenProvider { return tokens{p} }

type tokens struct{ provider auth.TokenProvider }

// Token returns the token of the wrapped provider, or a *TokenError.
func (t tokens) Token(ctx context.Context) (*auth.Token, error) {
	token, err := t.provider.Token(ctx)
	if err != nil && ctx.Err() == nil {
		return nil, &TokenError{cause: err}
	}
	return token, err
}

// TokenError is the failure to get an access token.
type TokenError struct{ cause error }

// Error says what the token server or the auth library said, with the secrets taken out.
func (e *TokenError) Error() string {
	return "getting an access token: " + clean(withoutURL(e.cause).Error(), longestMessage)
}

// Unwrap returns the error of the auth library.
func (e *TokenError) Unwrap() error { return e.cause }

// GRPCStatus carries the error through gRPC, which keeps the status of an error and drops its type.
func (e *TokenError) GRPCStatus() *status.Status { return status.New(tokenCode(e.cause), e.Error()) }

// fromCredentials knows the errors of getting a token that reach the caller with their type.
func fromCredentials(err error) (*Fault, bool) {
	var failed *TokenError
	var refused *auth.Error
	var retrieve *oauth2.RetrieveError
	if !errors.As(err, &failed) && !errors.As(err, &refused) && !errors.As(err, &retrieve) {
		return nil, false
	}
	code := tokenCode(err)
	return &Fault{Code: code, Credentials: code == codes.Unauthenticated, Message: withoutURL(err).Error()}, true
}

// tokenCode tells a refusal from a token server that cannot be reached or is out of order for the moment.
func tokenCode(err error) codes.Code {
	var refused *auth.Error
	_, network := fromNetwork(err)
	if network || errors.As(err, &refused) && refused.Temporary() {
		return codes.Unavailable
	}
	return codes.Unauthenticated
}
