package cli

import (
	"strings"
	"time"

	"fsql/internal/diag"
)

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func notBelowZero[T int64 | time.Duration](flag string, n T) error {
	if n >= 0 {
		return nil
	}
	return diag.New(diag.Usage, diag.Span{}, "%s does not take %v: it must not be below 0", flag, n)
}

func oneOf(flag, got string, choices ...string) error {
	for _, c := range choices {
		if got == c {
			return nil
		}
	}
	var list []string
	for _, c := range choices {
		if c != "" {
			list = append(list, c)
		}
	}
	e := diag.New(diag.Usage, diag.Span{}, "%s does not take '%s'", flag, got).WithHint("choices: %s", strings.Join(list, ", "))
	if near := diag.Nearest(got, list); near != "" {
		e.WithLabel("did you mean '%s'?", near)
	}
	return e
}

// pairs splits key=value arguments.
func pairs(flag string, args []string) (map[string]string, error) {
	out := map[string]string{}
	for _, a := range args {
		k, v, found := strings.Cut(a, "=")
		if !found || k == "" {
			return nil, diag.New(diag.Usage, diag.Span{}, "%s takes key=value, not '%s'", flag, a)
		}
		out[k] = v
	}
	return out, nil
}
