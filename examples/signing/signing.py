"""Signs and creates a checkout order and a subscription, looks an order up, and receives a webhook whose signature it
verifies. Python 3.9 or newer, standard library only. Ends with 1 if anything is not as it should be.
usage: python3 signing.py [requestId]"""

import base64
import hashlib
import hmac
import json
import os
import queue
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def setting(name: str) -> str:
    return os.environ.get(name) or sys.exit(f"{name} is not set")


BASE_URL = setting("PAYMENT_ORDER_BASE_URL")
CLIENT_ID = setting("PAYMENT_ORDER_CLIENT_ID")
API_SECRET = setting("PAYMENT_ORDER_API_SECRET")
ACCESS_TOKEN = setting("PAYMENT_ORDER_ACCESS_TOKEN")
WEBHOOK_SECRET = setting("PAYMENT_ORDER_WEBHOOK_SECRET")


def sign(text: str) -> str:
    """HMAC-SHA256 of the UTF-8 text in base64: `digest`, not `hexdigest`, and `b64encode`, not `urlsafe_b64encode`."""
    digest = hmac.new(API_SECRET.encode("utf-8"), text.encode("utf-8"), hashlib.sha256).digest()
    return base64.b64encode(digest).decode("ascii")


def checkout_text(order: dict) -> str:
    """The values as they stand in the body, not percent-encoded, not trimmed. The service's document prints a second
    form, which begins with `currencyId=...&`; ask which one your account takes."""
    return f"fiatAmount={order['fiatAmount']}&requestId={order['requestId']}"


def subscription_text(order: dict) -> str:
    """The order of the members is fixed, and an empty `trialPeriodDays` is left out."""
    text = f"currencyId={order['currencyId']}&{checkout_text(order)}&interval={order['interval']}"
    days = order.get("trialPeriodDays")
    return f"{text}&trialPeriodDays={days}" if days else text


def refusal(headers, body: bytes) -> "str | None":
    """Why a webhook is not to be believed; None if it is genuine. These headers are those of Standard Webhooks, and an
    addition of the emulator: the service's document shows no way to verify a webhook (choice N38). `body` is what came:
    parsed and written anew, the same JSON would have other bytes."""
    webhook_id, timestamp, signatures = (headers.get(f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    if not (webhook_id and timestamp and signatures):
        return "a header is missing"
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return "the timestamp differs by more than five minutes"
    key = base64.b64decode(WEBHOOK_SECRET.removeprefix("whsec_"))  # the key is what follows whsec_, decoded
    mac = hmac.new(key, f"{webhook_id}.{timestamp}.".encode("utf-8") + body, hashlib.sha256)
    expected = b"v1," + base64.b64encode(mac.digest())
    # `compare_digest` takes as long wherever the two differ: `==` would tell a forger how many characters are right.
    # While a secret is being replaced there are several signatures, with a space between them.
    genuine = [hmac.compare_digest(each.encode("utf-8"), expected) for each in signatures.split(" ")]
    return None if any(genuine) else "the signature is wrong"


class Receiver(BaseHTTPRequestHandler):
    """Puts every webhook into `received`: what it tells, or why it was refused."""

    received: "queue.Queue[tuple[dict | None, str | None]]" = queue.Queue()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        reason = refusal(self.headers, body)
        self.send_response(204 if reason is None else 401)
        self.end_headers()
        # The same webhook may come again: remember the `webhook-id` of what you have worked through.
        self.received.put((json.loads(body), None) if reason is None else (None, reason))

    def log_message(self, *_) -> None:
        pass


def webhook_about(request_id: str) -> dict:
    until = time.monotonic() + 10
    while True:
        try:
            event, reason = Receiver.received.get(timeout=max(0, until - time.monotonic()))
        except queue.Empty:
            sys.exit("no webhook came within 10 seconds")
        if event is None:
            sys.exit(f"webhook refused: {reason}")
        if event["requestId"] == request_id:
            return event


def call(path: str, body: "dict | None" = None, **headers: str) -> dict:
    data = None if body is None else json.dumps(body).encode("utf-8")
    if data is not None:
        headers["content-type"] = "application/json"
    headers["access-token"] = ACCESS_TOKEN
    try:
        with urllib.request.urlopen(urllib.request.Request(BASE_URL + path, data, headers)) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        sys.exit(f"{path} answered {error.code} {error.read().decode('utf-8')}")


def main() -> None:
    request_id = sys.argv[1] if len(sys.argv) > 1 else str(uuid.uuid4())  # globally unique, and kept with your order
    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    webhook_url = f"http://127.0.0.1:{server.server_port}/webhooks"
    call("/v1/client/webhook-url", {"webhookUrl": webhook_url}, **{"client-id": CLIENT_ID})

    # Amounts are texts: the number 10.00 would become 10.0 in the body, which is another text than the one signed.
    checkout = {
        "clientId": CLIENT_ID,
        "requestId": request_id,
        "currencyId": "usd_us",
        "fiatAmount": "10.00",
        "email": "buyer@example.com",
    }
    created = call("/v1/client/checkout/create-order", checkout, signature=sign(checkout_text(checkout)))
    print(f"checkout {request_id}: {created['status']}")

    monthly = {**checkout, "requestId": f"{request_id}-monthly", "interval": "MONTHLY", "trialPeriodDays": "7"}
    created = call("/v1/client/subscription/create-order", monthly, signature=sign(subscription_text(monthly)))
    print(f"subscription {monthly['requestId']}: {created['status']}")

    # In a query the values are encoded (`+` would arrive as a space), in the signed text they never are.
    query = urllib.parse.urlencode({"requestId": request_id, "clientId": CLIENT_ID})
    found = call(f"/v1/client/orders?{query}")["data"]
    if [order["requestId"] for order in found] != [request_id]:
        sys.exit(f"found {found}")
    print(f"lookup {request_id}: {found[0]['orderStatus']}")

    event = webhook_about(request_id)
    print(f"webhook {event['requestId']}: {event['orderStatus']}")


if __name__ == "__main__":
    main()
