package ftest

import "testing"

func TestOutboxIsAskedFor(t *testing.T) {
	const look = "\nSELECT * FROM outbox;\n"
	for script, want := range map[string]string{
		"CREATE TABLE x (a INT);\nSELECT 1;\n":                                       "CREATE TABLE x (a INT);\nSELECT 1;\n",
		"insert INTO outbox SELECT 1;\n":                                             "insert INTO outbox SELECT 1;" + look,
		"INSERT INTO outbox SELECT 1":                                                "INSERT INTO outbox SELECT 1;" + look,
		"EXECUTE STATEMENT SET BEGIN\nINSERT INTO a SELECT 1;\nEND;\n\n":             "EXECUTE STATEMENT SET BEGIN\nINSERT INTO a SELECT 1;\nEND;" + look,
		"BEGIN STATEMENT  SET;\nINSERT INTO a SELECT 1;\nend ;\n":                    "BEGIN STATEMENT  SET;\nINSERT INTO a SELECT 1;\nend ;" + look,
		"INSERT INTO a SELECT 1;\n-- INSERT INTO outbox\nSELECT 2;":                  "INSERT INTO a SELECT 1;\n-- INSERT INTO outbox\nSELECT 2;",
		"SELECT 2; /* then */ INSERT INTO outbox\n/*+ OPTIONS('a'='b') */ SELECT 1;": "SELECT 2; /* then */ INSERT INTO outbox\n/*+ OPTIONS('a'='b') */ SELECT 1;" + look,
	} {
		if got := withOutbox(script); got != want {
			t.Errorf("%q\n got %q\nwant %q", script, got, want)
		}
	}
}
