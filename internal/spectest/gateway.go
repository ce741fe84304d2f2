package spectest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"fsql/internal/diag"
	"fsql/row"
)

// gateway is a session of a Flink SQL gateway, through its REST interface.
type gateway struct {
	base    string // "http://localhost:8083/v1/sessions/HANDLE"
	version string // "http://localhost:8083/v2"
}

// openGateway opens a session. The address may lack the scheme.
func openGateway(ctx context.Context, address string, properties map[string]string) (*gateway, error) {
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	g := &gateway{version: strings.TrimSuffix(address, "/") + "/v2"}
	var out struct{ SessionHandle string }
	if err := call(ctx, http.MethodPost, g.version+"/sessions", map[string]any{"properties": properties}, &out); err != nil {
		var refused *refusal
		if asRefusal(err, &refused) {
			return nil, err
		}
		return nil, &diag.Error{Code: diag.CannotConnect, Msg: "there is no Flink SQL gateway at " + address, Cause: err}
	}
	g.base = g.version + "/sessions/" + out.SessionHandle
	return g, nil
}

func (g *gateway) close(ctx context.Context) {
	_ = call(ctx, http.MethodDelete, g.base, map[string]any{}, nil)
}

// answered is one row of a result: NULL cells are nil.
type answered struct {
	kind  row.Kind
	cells []*string
}

// run runs a statement to the end of its result.
func (g *gateway) run(ctx context.Context, sql string) ([]answered, error) {
	var op struct{ OperationHandle string }
	if err := call(ctx, http.MethodPost, g.base+"/statements", map[string]any{"statement": sql}, &op); err != nil {
		return nil, err
	}
	at := g.base + "/operations/" + op.OperationHandle
	defer func() { _ = call(context.WithoutCancel(ctx), http.MethodDelete, at+"/close", map[string]any{}, nil) }()
	var out []answered
	for token := "0"; ; {
		var page struct {
			ResultType    string
			NextResultURI string `json:"nextResultUri"`
			Results       struct {
				Data []struct {
					Kind   string
					Fields []*string
				}
			}
		}
		if err := call(ctx, http.MethodGet, at+"/result/"+token+"?rowFormat=PLAIN_TEXT", map[string]any{}, &page); err != nil {
			return nil, err
		}
		for _, d := range page.Results.Data {
			k, ok := map[string]row.Kind{"INSERT": row.Insert, "UPDATE_BEFORE": row.UpdateBefore, "UPDATE_AFTER": row.UpdateAfter, "DELETE": row.Delete}[d.Kind]
			if !ok {
				return nil, fmt.Errorf("the gateway gave a row of the kind %s", d.Kind)
			}
			out = append(out, answered{k, d.Fields})
		}
		if page.NextResultURI == "" {
			return out, nil
		}
		next, _, _ := strings.Cut(page.NextResultURI, "?")
		token = next[strings.LastIndexByte(next, '/')+1:]
		if len(page.Results.Data) == 0 {
			select { // a gateway answers at once, whether there is news or not
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-time.After(20 * time.Millisecond):
			}
		}
	}
}

// refusal is an answer that says what is wrong.
type refusal struct{ text string }

func (r *refusal) Error() string { return r.text }

func asRefusal(err error, to **refusal) bool {
	r, ok := err.(*refusal)
	if ok {
		*to = r
	}
	return ok
}

// call sends a request; the gateway wants a body with every one.
func call(ctx context.Context, method, url string, body, answer any) error {
	b, err := json.Marshal(body)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(b))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Close = true // as the gateway wants it: nothing stays open between two tests
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	var failed struct{ Errors []string }
	if json.Unmarshal(text, &failed) == nil && len(failed.Errors) > 0 {
		return &refusal{cause(failed.Errors)}
	}
	if answer == nil {
		return nil
	}
	if err := json.Unmarshal(text, answer); err != nil {
		return fmt.Errorf("%s does not answer as a Flink SQL gateway: %w", url, err)
	}
	return nil
}

// cause is the innermost message of a Java stack trace.
func cause(errors []string) string {
	text := errors[len(errors)-1]
	if i := strings.LastIndex(text, "Caused by: "); i >= 0 {
		text = text[i+len("Caused by: "):]
	}
	text, _, _ = strings.Cut(text, "\n\tat ")
	return strings.TrimSpace(text)
}
