package kafka

import (
	"testing"
	"time"

	"fsql/internal/diag"
)

func TestLogin(t *testing.T) {
	for jaas, want := range map[string][2]string{
		`org.apache.kafka.common.security.plain.PlainLoginModule required username="u" password="p w";`: {"u", "p w"},
		`x.ScramLoginModule required username='u' password='a\'b' ;`:                                    {"u", "a'b"},
		`x required username=u password="q\"r";`:                                                        {"u", `q"r`},
	} {
		user, password, err := login(jaas)
		if err != nil || user != want[0] || password != want[1] {
			t.Errorf("%s: %q %q %v", jaas, user, password, err)
		}
	}
	if _, _, err := login("x required;"); diag.Of(err).Code != diag.BadOption {
		t.Errorf("%v", err)
	}
}

func TestProperties(t *testing.T) {
	s := &settings{}
	for name, value := range map[string]string{
		"acks": "-1", "compression.type": "zstd", "linger.ms": "5", "transaction.timeout.ms": "60000", "isolation.level": "read_committed",
		"auto.offset.reset": "earliest", "max.poll.records": "7", "key.deserializer": "x", "ssl.truststore.location": "/x.pem",
	} {
		if err := s.set(name, value); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if s.acks != "all" || s.transaction != time.Minute || !s.committed || s.security.trust.file != "/x.pem" {
		t.Errorf("%+v", s)
	}
	for name, value := range map[string]string{"acks": "2", "compression.type": "rar", "linger.ms": "soon", "security.protocol": "TLS"} {
		if err := s.set(name, value); diag.Of(err).Code != diag.BadOption {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name := range properties() {
		for _, other := range idle() {
			if name == other {
				t.Errorf("%s is both obeyed and ignored", name)
			}
		}
	}
	if shown("sasl.jaas.config", "secret") == "secret" || shown("ssl.keystore.password", "secret") == "secret" {
		t.Error("a secret is shown")
	}
}

func TestOffsetPair(t *testing.T) {
	if p, o, ok := offsetPair("partition:3,offset:42"); !ok || p != 3 || o != 42 {
		t.Errorf("%d %d %v", p, o, ok)
	}
	for _, bad := range []string{"", "partition:1", "partition:x,offset:1", "partition:1,offset:-1", "offset:1,partition:1"} {
		if _, _, ok := offsetPair(bad); ok {
			t.Errorf("%q is taken", bad)
		}
	}
}
