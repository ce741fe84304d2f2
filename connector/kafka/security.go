package kafka

import (
	"crypto/tls"
	"crypto/x509"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"

	"fsql/internal/diag"
	"fsql/internal/option"
)

// security is how a client proves itself to brokers, and they to it.
type security struct {
	protocol, mechanism, jaas string
	verify                    string // ssl.endpoint.identification.algorithm
	trust, chain, key         pem
}

// pem is a text of certificates or keys, or the file that holds it.
type pem struct{ text, file, kind string }

// secure are the properties of security.
func secure() map[string]property {
	to := func(field func(s *security) *string) property {
		return func(s *settings, v string) string { *field(&s.security) = v; return "" }
	}
	one := func(field func(s *security) *string, of ...string) property {
		return func(s *settings, v string) string {
			if !slices.Contains(of, v) {
				return strings.Join(of, ", ")
			}
			*field(&s.security) = v
			return ""
		}
	}
	none := func(*settings, string) string { return "" }
	out := map[string]property{
		"security.protocol":                     one(func(s *security) *string { return &s.protocol }, "PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"),
		"sasl.mechanism":                        to(func(s *security) *string { return &s.mechanism }),
		"sasl.jaas.config":                      to(func(s *security) *string { return &s.jaas }),
		"ssl.endpoint.identification.algorithm": to(func(s *security) *string { return &s.verify }),
		"ssl.truststore.location":               to(func(s *security) *string { return &s.trust.file }),
		"ssl.truststore.certificates":           to(func(s *security) *string { return &s.trust.text }),
		"ssl.truststore.type":                   to(func(s *security) *string { return &s.trust.kind }),
		"ssl.keystore.location":                 to(func(s *security) *string { return &s.chain.file }),
		"ssl.keystore.certificate.chain":        to(func(s *security) *string { return &s.chain.text }),
		"ssl.keystore.type":                     to(func(s *security) *string { return &s.chain.kind }),
		"ssl.keystore.key":                      to(func(s *security) *string { return &s.key.text }),
	}
	for _, name := range []string{"ssl.truststore.password", "ssl.keystore.password", "ssl.key.password", "ssl.protocol", "ssl.enabled.protocols",
		"ssl.cipher.suites", "ssl.provider", "ssl.keymanager.algorithm", "ssl.trustmanager.algorithm", "ssl.secure.random.implementation",
		"ssl.engine.factory.class", "sasl.client.callback.handler.class", "sasl.login.callback.handler.class", "sasl.login.class",
		"sasl.kerberos.service.name", "security.providers"} {
		out[name] = none
	}
	return out
}

// shown is the value of a property as messages may show it.
func shown(name, value string) string { return option.Mask(nil, "properties."+name, value) }

// options are those of the client.
func (s *security) options() ([]kgo.Opt, error) {
	var out []kgo.Opt
	if strings.HasSuffix(s.protocol, "SSL") {
		c, err := s.tls()
		if err != nil {
			return nil, err
		}
		out = append(out, kgo.DialTLSConfig(c))
	}
	if strings.HasPrefix(s.protocol, "SASL_") {
		m, err := s.sasl()
		if err != nil {
			return nil, err
		}
		out = append(out, kgo.SASL(m))
	}
	return out, nil
}

// sasl is the mechanism with its user.
func (s *security) sasl() (sasl.Mechanism, error) {
	user, password, err := login(s.jaas)
	if err != nil {
		return nil, err
	}
	switch s.mechanism {
	case "PLAIN":
		return plain.Auth{User: user, Pass: password}.AsMechanism(), nil
	case "SCRAM-SHA-256":
		return scram.Auth{User: user, Pass: password}.AsSha256Mechanism(), nil
	case "SCRAM-SHA-512":
		return scram.Auth{User: user, Pass: password}.AsSha512Mechanism(), nil
	case "GSSAPI", "OAUTHBEARER":
		return nil, diag.New(diag.NotImplemented, diag.Span{}, "the SASL mechanism %s is not implemented yet", s.mechanism).
			WithHint("'properties.sasl.mechanism' may be PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512")
	}
	return nil, diag.New(diag.BadOption, diag.Span{}, "bad value '%s' for option 'properties.sasl.mechanism', which is PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512", s.mechanism)
}

// login finds user and password in a JAAS line: a class, a flag and options.
func login(jaas string) (user, password string, err error) {
	found := map[string]string{}
	for _, m := range regexp.MustCompile(`(\w+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s;"']+))`).FindAllStringSubmatch(jaas, -1) {
		found[m[1]] = regexp.MustCompile(`\\(.)`).ReplaceAllString(m[2]+m[3]+m[4], "$1")
	}
	user, ok := found["username"]
	password, has := found["password"]
	if !ok || !has {
		return "", "", diag.New(diag.BadOption, diag.Span{}, "'properties.sasl.jaas.config' names no username and password").
			WithHint(`write 'properties.sasl.jaas.config' = 'org.apache.kafka.common.security.plain.PlainLoginModule required username="..." password="...";'`)
	}
	return user, password, nil
}

// tls is how connections are encrypted.
func (s *security) tls() (*tls.Config, error) {
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	if s.trust.given() {
		text, err := s.trust.read("truststore")
		if err != nil {
			return nil, err
		}
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(text) {
			return nil, noPEM("truststore", s.trust.file)
		}
	}
	if s.chain.given() {
		chain, err := s.chain.read("keystore")
		if err != nil {
			return nil, err
		}
		key := chain // a file holds both
		if s.key.given() {
			key = []byte(s.key.text)
		}
		pair, err := tls.X509KeyPair(chain, key)
		if err != nil {
			e := noPEM("keystore", s.chain.file)
			e.Cause = err
			return nil, e
		}
		c.Certificates = []tls.Certificate{pair}
	}
	if s.verify == "" {
		skipHostName(c)
	}
	return c, nil
}

// skipHostName checks certificates but not whose they are.
func skipHostName(c *tls.Config) {
	c.InsecureSkipVerify = true // replaced by the check below
	roots := c.RootCAs
	c.VerifyConnection = func(state tls.ConnectionState) error {
		between := x509.NewCertPool()
		for _, cert := range state.PeerCertificates[1:] {
			between.AddCert(cert)
		}
		_, err := state.PeerCertificates[0].Verify(x509.VerifyOptions{Roots: roots, Intermediates: between})
		return err
	}
}

func (p *pem) given() bool { return p.text != "" || p.file != "" }

func (p *pem) read(what string) ([]byte, error) {
	if p.text != "" {
		return []byte(p.text), nil
	}
	text, err := os.ReadFile(p.file)
	if err != nil {
		return nil, &diag.Error{Code: diag.NoSuchFile, Msg: "the " + what + " '" + p.file + "' cannot be read", Cause: err}
	}
	if !strings.Contains(string(text), "-----BEGIN ") {
		return nil, noPEM(what, p.file)
	}
	return text, nil
}

func noPEM(what, file string) *diag.Error {
	return diag.New(diag.NotSupported, diag.Span{}, "the %s '%s' holds no PEM certificates", what, file).
		WithHint("turn a JKS or PKCS12 file into PEM: keytool -importkeystore -deststoretype PKCS12 .., then openssl pkcs12 -nodes -in .. -out store.pem; and set 'properties.ssl.%s.type' = 'PEM'", what)
}
