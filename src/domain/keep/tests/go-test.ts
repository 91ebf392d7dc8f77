import { isCreatedByCall, ownPlace, type TestFacts } from './test-facts.ts'

/** A test for `go test`, which needs a running emulator. */
export function goTest(facts: TestFacts): string {
  const { id, orderId, kind, fields, start, advance, webhooks } = facts
  const list = webhooks.map(({ after, orderStatus }) => `\t{${after}, ${JSON.stringify(orderStatus)}},\n`)
  const clock = start === null ? '' : `, "now": ${Date.parse(start)}`
  const isCalled = isCreatedByCall(facts)
  return `// Plays ${id}.yaml, the scenario of the order ${orderId}, and checks that the same webhooks are sent.
// Needs a running emulator: npx payment-order-emulator exec -- go test ./...
package kept_test

import (
\t"bytes"
${isCalled ? '\t"crypto/hmac"\n\t"crypto/sha256"\n\t"encoding/base64"\n' : ''}\t"encoding/json"
\t"io"
\t"math"
\t"net/http"
\t"net/http/httptest"
\t"os"
\t"sort"
${isCalled ? '\t"strings"\n' : ''}\t"testing"
${isCalled ? '\t"time"\n' : ''})

const scenarioID = ${JSON.stringify(id)}

type webhook struct {
\tafter  float64
\tstatus string
}

// Every POST of a webhook, with the seconds since the order's creation.
var recorded = []webhook{
${list.join('')}}

var order = map[string]string{${Object.entries({ requestId: 'kept-order', ...fields })
    .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(', ')}}

type account struct{ ClientID, APISecret, AccessToken string }

func TestTheOrderSendsTheSameWebhooks(t *testing.T) {
\tscenario, err := os.ReadFile(scenarioID + ".yaml")
\tif err != nil {
\t\tt.Fatal(err)
\t}
\t// Takes the webhooks. For your application: its own URL, and the credentials of the client.
\tendpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
\t\t_, _ = io.Copy(io.Discard, r.Body)
\t}))
\tt.Cleanup(endpoint.Close)
\tvar client account
\tmade := map[string]any{"webhookUrl": endpoint.URL, "clock": map[string]any{"mode": "manual"${clock}}}
\tcontrol(t, http.MethodPost, "/clients", made, &client)
\tt.Cleanup(func() { control(t, http.MethodDelete, "/clients/"+client.ClientID, nil, nil) })
\tcontrol(t, http.MethodPut, "/scenarios/"+scenarioID, scenario, nil)

\tcreateOrder(t, client)
\tcontrol(t, http.MethodPost, "/clock/advance?clientId="+client.ClientID, map[string]any{"by": "${advance}"}, nil)

\tsent := sentWebhooks(t, client)
\tif len(sent) != len(recorded) {
\t\tt.Fatalf("sent %v, recorded %v", sent, recorded)
\t}
\tfor i, want := range recorded {
\t\tif got := sent[i]; got.status != want.status || math.Abs(got.after-want.after) > 1 {
\t\t\tt.Errorf("webhook %d is %v, recorded %v", i+1, got, want)
\t\t}
\t}

${ownPlace.map((line) => `\t// ${line}`).join('\n')}
}

${isCalled ? creating(kind) : making(kind)}
func orders(t *testing.T, client account) []struct{ CreatedAt float64 } {
\tt.Helper()
\tvar list struct{ Items []struct{ CreatedAt float64 } }
\tcontrol(t, http.MethodGet, "/orders?clientId="+client.ClientID, nil, &list)
\treturn list.Items
}

func sentWebhooks(t *testing.T, client account) []webhook {
\tt.Helper()
\tvar list struct {
\t\tItems []struct {
\t\t\tOrderStatus string
\t\t\tAttempts    []struct{ At float64 }
\t\t}
\t}
\tcontrol(t, http.MethodGet, "/deliveries?limit=1000&clientId="+client.ClientID, nil, &list)
\tcreated := orders(t, client)[0].CreatedAt
\tsent := []webhook{}
\tfor _, delivery := range list.Items {
\t\tfor _, attempt := range delivery.Attempts {
\t\t\tsent = append(sent, webhook{(attempt.At - created) / 1000, delivery.OrderStatus})
\t\t}
\t}
\tsort.SliceStable(sent, func(i, j int) bool { return sent[i].after < sent[j].after })
\treturn sent
}

func emulator() string {
\tif url := os.Getenv("EMULATOR_URL"); url != "" {
\t\treturn url
\t}
\treturn "http://127.0.0.1:4600"
}

// Calls the control API; bytes are sent as YAML, anything else as JSON.
func control(t *testing.T, method, path string, body, into any) {
\tt.Helper()
\tkind := "application/json"
\tdata, isYaml := body.([]byte)
\tif isYaml {
\t\tkind = "application/yaml"
\t} else if body != nil {
\t\tdata, _ = json.Marshal(body)
\t}
\trequest, err := http.NewRequest(method, emulator()+"/_emulator"+path, bytes.NewReader(data))
\tif err != nil {
\t\tt.Fatal(err)
\t}
\trequest.Header.Set("content-type", kind)
\tanswer, err := http.DefaultClient.Do(request)
\tif err != nil {
\t\tt.Fatal(err)
\t}
\tdefer answer.Body.Close()
\ttext, _ := io.ReadAll(answer.Body)
\tif answer.StatusCode > 299 {
\t\tt.Fatalf("%s %s: %d %s", method, path, answer.StatusCode, text)
\t}
\tif into != nil {
\t\tif err := json.Unmarshal(text, into); err != nil {
\t\t\tt.Fatal(err)
\t\t}
\t}
}
`
}

const signedFields = (kind: string): string =>
  kind === 'subscription'
    ? '"currencyId", "fiatAmount", "requestId", "interval", "trialPeriodDays"'
    : '"fiatAmount", "requestId"'

const creating = (
  kind: string,
): string => `// Creates the order as an application does: again if a call failed and no order exists. A held answer
// comes only when the clock moves, so this waits no longer than 200 ms for it once the order exists.
func createOrder(t *testing.T, client account) {
\tt.Helper()
\tnext := map[string]any{"scenario": scenarioID, "requestId": order["requestId"]}
\tcontrol(t, http.MethodPost, "/scenarios/next?clientId="+client.ClientID, next, nil)
\tfor tries := 0; tries < 3; tries++ {
\t\tanswered := make(chan struct{})
\t\tgo func() {
\t\t\tdefer close(answered)
\t\t\tcallService(client)
\t\t}()
\t\tfor waiting := true; waiting; {
\t\t\tselect {
\t\t\tcase <-answered:
\t\t\t\twaiting = false
\t\t\tcase <-time.After(20 * time.Millisecond):
\t\t\t}
\t\t\twaiting = waiting && len(orders(t, client)) == 0
\t\t}
\t\tselect {
\t\tcase <-answered:
\t\tcase <-time.After(200 * time.Millisecond):
\t\t}
\t\tif len(orders(t, client)) > 0 {
\t\t\treturn
\t\t}
\t}
\tt.Fatal("no create call made an order")
}

// An error is a fault of the scenario: the order tells whether the call had an effect.
func callService(client account) {
\tbody := map[string]string{"clientId": client.ClientID}
\tfor name, value := range order {
\t\tbody[name] = value
\t}
\tvar signed []string
\tfor _, name := range []string{${signedFields(kind)}} {
\t\tif value, ok := body[name]; ok {
\t\t\tsigned = append(signed, name+"="+value)
\t\t}
\t}
\tmac := hmac.New(sha256.New, []byte(client.APISecret))
\tmac.Write([]byte(strings.Join(signed, "&")))
\ttext, _ := json.Marshal(body)
\trequest, _ := http.NewRequest(http.MethodPost, emulator()+"/v1/client/${kind}/create-order", bytes.NewReader(text))
\trequest.Header.Set("content-type", "application/json")
\trequest.Header.Set("access-token", client.AccessToken)
\trequest.Header.Set("signature", base64.StdEncoding.EncodeToString(mac.Sum(nil)))
\tif answer, err := http.DefaultClient.Do(request); err == nil {
\t\tanswer.Body.Close()
\t}
}
`

const making = (kind: string): string => `func createOrder(t *testing.T, client account) {
\tt.Helper()
\tmade := map[string]any{"kind": ${JSON.stringify(kind)}, "scenario": scenarioID}
\tfor name, value := range order {
\t\tmade[name] = value
\t}
\tcontrol(t, http.MethodPost, "/orders?clientId="+client.ClientID, made, nil)
}
`
