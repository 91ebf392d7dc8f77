import { isCreatedByCall, ownPlace, type TestFacts } from './test-facts.ts'

/** A test for pytest, which needs a running emulator. */
export function pythonTest(facts: TestFacts): string {
  const { id, orderId, kind, fields, start, advance, webhooks } = facts
  const list = webhooks.map(({ after, orderStatus }) => `    (${after}, ${JSON.stringify(orderStatus)}),\n`)
  const clock = start === null ? '' : `, "now": ${Date.parse(start)}`
  return `"""Plays ${id}.yaml, the scenario of the order ${orderId}, and checks that the same webhooks are sent.

Needs a running emulator: npx payment-order-emulator exec -- pytest
"""
${isCreatedByCall(facts) ? 'import base64\nimport hashlib\nimport hmac\n' : ''}import http.server
import json
import os
import pathlib
import threading
import urllib.request

EMULATOR = os.environ.get("EMULATOR_URL", "http://127.0.0.1:4600")
SCENARIO_ID = ${JSON.stringify(id)}
SCENARIO = pathlib.Path(__file__).with_name(f"{SCENARIO_ID}.yaml").read_bytes()
ORDER = ${JSON.stringify({ requestId: 'kept-order', ...fields })}

# Every POST of a webhook, with the seconds since the order's creation.
RECORDED = [
${list.join('')}]


def test_the_order_sends_the_same_webhooks():
    with webhook_endpoint() as endpoint:
        # Takes the webhooks. For your application: its own URL, and the credentials of the client.
        webhook_url = f"http://127.0.0.1:{endpoint.server_port}/"
        client = control("POST", "/clients", {"webhookUrl": webhook_url, "clock": {"mode": "manual"${clock}}})
        own = f"?clientId={client['clientId']}"
        control("PUT", f"/scenarios/{SCENARIO_ID}", SCENARIO)
        try:
            create_order(client)
            control("POST", f"/clock/advance{own}", {"by": "${advance}"})

            sent = sent_webhooks(own)
            assert [status for _, status in sent] == [status for _, status in RECORDED]
            for (after, status), (recorded, _) in zip(sent, RECORDED):
                assert abs(after - recorded) <= 1, f"{status} after {after} s, recorded after {recorded} s"

${ownPlace.map((line) => `            # ${line}`).join('\n')}
        finally:
            control("DELETE", f"/clients/{client['clientId']}")


${isCreatedByCall(facts) ? creating(kind) : making(kind)}

def sent_webhooks(own):
    order = control("GET", f"/orders{own}")["items"][0]
    deliveries = control("GET", f"/deliveries{own}&limit=1000")["items"]
    attempts = [(one["at"], each["orderStatus"]) for each in deliveries for one in each["attempts"]]
    return [((at - order["createdAt"]) / 1000, status) for at, status in sorted(attempts, key=lambda one: one[0])]


def control(method, path, body=None):
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    kind = "application/yaml" if isinstance(body, bytes) else "application/json"
    request = urllib.request.Request(f"{EMULATOR}/_emulator{path}", data, {"content-type": kind}, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.loads(answer.read() or b"null")


class AcceptsAll(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


def webhook_endpoint():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), AcceptsAll)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
`
}

/** The string to sign of a create call, as an expression over `order`. */
const signedFields = (kind: string): string =>
  kind === 'subscription'
    ? '["currencyId", "fiatAmount", "requestId", "interval", "trialPeriodDays"]'
    : '["fiatAmount", "requestId"]'

const creating = (kind: string): string => `def create_order(client):
    """Creates the order as an application does: again if a call failed and no order exists.

    A held answer comes only when the clock moves, so this waits no longer than 200 ms for it once the order exists.
    """
    own = f"?clientId={client['clientId']}"
    control("POST", f"/scenarios/next{own}", {"scenario": SCENARIO_ID, "requestId": ORDER["requestId"]})
    for _ in range(3):
        call = threading.Thread(target=call_service, args=(client,), daemon=True)
        call.start()
        while call.is_alive() and not control("GET", f"/orders{own}")["items"]:
            call.join(0.02)
        call.join(0.2)
        if control("GET", f"/orders{own}")["items"]:
            return
    raise AssertionError("no create call made an order")


def call_service(client):
    order = {**ORDER, "clientId": client["clientId"]}
    text = "&".join(f"{name}={order[name]}" for name in ${signedFields(kind)} if name in order)
    signature = hmac.new(client["apiSecret"].encode(), text.encode(), hashlib.sha256).digest()
    headers = {
        "content-type": "application/json",
        "access-token": client["accessToken"],
        "signature": base64.b64encode(signature).decode(),
    }
    url = f"{EMULATOR}/v1/client/${kind}/create-order"
    try:
        urllib.request.urlopen(urllib.request.Request(url, json.dumps(order).encode(), headers)).close()
    except OSError:
        pass  # A fault of the scenario: the order tells whether the call had an effect.

`

const making = (kind: string): string => `def create_order(client):
    order = {**ORDER, "kind": ${JSON.stringify(kind)}, "scenario": SCENARIO_ID}
    control("POST", f"/orders?clientId={client['clientId']}", order)

`
