package option

import "strings"

// hidden is what prints in place of a secret.
const hidden = "******"

// Mask returns the value of an option as it may be shown: secrets, by their
// declaration or by a word in their key that Flink takes for a secret, are
// hidden. set may be nil.
func Mask(set *Set, key, value string) string {
	if set != nil {
		if d, _ := set.Lookup(key); d != nil && d.Secret {
			return hidden
		}
	}
	if sensitive(key) {
		return hidden
	}
	return value
}

// sensitive follows Flink's list of words that make a key a secret one.
func sensitive(key string) bool {
	key = strings.ToLower(key)
	for _, word := range []string{"password", "secret", "fs.azure.account.key", "apikey", "api-key",
		"auth-params", "service-key", "token", "basic-auth", "jaas.config", "http-headers"} {
		if strings.Contains(key, word) {
			return true
		}
	}
	return false
}
