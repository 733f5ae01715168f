package fault

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/url"
	"os"
	"syscall"

	"google.golang.org/grpc/codes"
)

// fromNetwork knows the errors that the REST transport returns as they are. gRPC turns its own into a status.
func fromNetwork(err error) (*Fault, bool) {
	words := withoutURL(err).Error()
	switch {
	case neverConnected(err):
		return &Fault{Code: codes.Unavailable, Unreachable: true, Message: words}, true
	case timedOut(err):
		return &Fault{Code: codes.DeadlineExceeded, Message: words}, true
	case brokeOff(err):
		return &Fault{Code: codes.Unavailable, Message: words}, true
	}
	return nil, false
}

func neverConnected(err error) bool {
	var dial *net.OpError
	if errors.As(err, &dial) && dial.Op == "dial" {
		return true
	}
	var dns *net.DNSError
	var header tls.RecordHeaderError
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	return errors.As(err, &dns) || errors.As(err, &header) || errors.As(err, &certificate) || errors.As(err, &authority)
}

func timedOut(err error) bool {
	var network net.Error
	return errors.Is(err, os.ErrDeadlineExceeded) || errors.As(err, &network) && network.Timeout()
}

func brokeOff(err error) bool {
	var op *net.OpError
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) || errors.As(err, &op)
}

// withoutURL takes off the part of an HTTP error that repeats the request: its query may hold an API key.
func withoutURL(err error) error {
	var request *url.Error
	if errors.As(err, &request) {
		return request.Err
	}
	return err
}
