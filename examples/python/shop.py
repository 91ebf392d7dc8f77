"""A shop with a web API. Python 3.9 or newer, standard library only.

PUT /purchases/<id>   buys a mug; the same id again is the same purchase
GET /purchases/<id>   what has become of it
POST /webhooks        where the payment service sends its webhooks
"""

import base64
import hashlib
import hmac
import http.client
import json
import os
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TRIES = 3
PRICE = "12.50"


class NoClearAnswer(Exception):
    """The service has not said whether it did what it was asked."""


class Payments:
    """The payment service, as this shop uses it."""

    def __init__(self, env) -> None:
        self.base_url = env["PAYMENT_ORDER_BASE_URL"]
        self.client_id = env["PAYMENT_ORDER_CLIENT_ID"]
        self.api_secret = env["PAYMENT_ORDER_API_SECRET"]
        self.access_token = env["PAYMENT_ORDER_ACCESS_TOKEN"]
        self.webhook_key = base64.b64decode(env["PAYMENT_ORDER_WEBHOOK_SECRET"].removeprefix("whsec_"))

    def open(self, request_id: str, amount: str) -> None:
        """Opens an order. Trying again is safe: there is one order at most for each requestId."""
        order = {
            "clientId": self.client_id,
            "requestId": request_id,
            "currencyId": "usd_us",
            "fiatAmount": amount,
            "email": "buyer@example.com",
        }
        status, answer = self._call(
            "/v1/client/checkout/create-order", order, signature=self._sign(f"fiatAmount={amount}&requestId={request_id}")
        )
        error = answer.get("error")
        exists_already = isinstance(error, dict) and error.get("code") == "7001"
        if status != 200 and not exists_already:
            raise RuntimeError(f"the service answered {status} {answer}")

    def status_of(self, request_id: str) -> "str | None":
        """What the service says about an order; None if it has none."""
        query = urllib.parse.urlencode({"requestId": request_id, "clientId": self.client_id})
        status, answer = self._call(f"/v1/client/orders?{query}")
        if status != 200:
            raise RuntimeError(f"the service answered {status} {answer}")
        return answer["data"][0]["orderStatus"] if answer["data"] else None

    def is_genuine(self, headers, body: bytes) -> bool:
        """Verifies a webhook by the headers of Standard Webhooks. `body` is what came, byte for byte."""
        webhook_id, timestamp, signatures = (headers.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
        if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
            return False
        mac = hmac.new(self.webhook_key, f"{webhook_id}.{timestamp}.".encode() + body, hashlib.sha256)
        expected = b"v1," + base64.b64encode(mac.digest())
        return any([hmac.compare_digest(each.encode(), expected) for each in signatures.split(" ")])

    def _sign(self, text: str) -> str:
        return base64.b64encode(hmac.new(self.api_secret.encode(), text.encode(), hashlib.sha256).digest()).decode()

    def _call(self, path: str, body: "dict | None" = None, **headers: str) -> "tuple[int, dict]":
        data = None if body is None else json.dumps(body).encode()
        headers.update({"access-token": self.access_token, "content-type": "application/json"})
        request = urllib.request.Request(self.base_url + path, data, headers)
        for tries_left in reversed(range(TRIES)):
            pause = 0.1
            try:
                with urllib.request.urlopen(request, timeout=10) as answer:
                    return answer.status, json.load(answer)
            except urllib.error.HTTPError as error:
                with error:
                    if error.code < 500 and error.code != 429:
                        return error.code, json.load(error)
                pause = float(error.headers.get("retry-after", pause))
            except (OSError, http.client.HTTPException, ValueError):
                pass  # no connection, half an answer, or no JSON
            if tries_left:
                time.sleep(pause)
        raise NoClearAnswer(path)


class Shop:
    """What was bought and what was sent. Kept in memory; yours has a database."""

    def __init__(self, payments: Payments) -> None:
        self.payments = payments
        self._purchases: "dict[str, dict]" = {}
        self._lock = threading.Lock()

    def buy(self, request_id: str) -> dict:
        # Stored first: a webhook may be faster than the answer.
        with self._lock:
            self._purchases.setdefault(request_id, {"id": request_id, "state": "waiting", "parcels": 0})
        self.payments.open(request_id, PRICE)
        return self._purchases[request_id]

    def find(self, request_id: str) -> "dict | None":
        purchase = self._purchases.get(request_id)
        # No webhook may ever come, so the shop asks by itself too.
        return self.settle(request_id) if purchase and purchase["state"] == "waiting" else purchase

    def settle(self, request_id: str) -> "dict | None":
        """Asks the service what has become of a purchase, and acts on it once."""
        purchase = self._purchases.get(request_id)
        if purchase is None:
            return None
        status = self.payments.status_of(request_id)
        with self._lock:
            # An earlier webhook, or one that was faster, may have settled it.
            if purchase["state"] != "waiting":
                return purchase
            if status == "COMPLETED":
                purchase["state"] = "shipped"
                purchase["parcels"] += 1
            elif status == "FAILED":
                purchase["state"] = "declined"
        return purchase


def serve(shop: Shop, port: int) -> ThreadingHTTPServer:
    """Opens the shop on a port; 0 takes a free one."""

    class Handler(BaseHTTPRequestHandler):
        def do_PUT(self) -> None:
            self._answer(lambda: shop.buy(self._id()))

        def do_GET(self) -> None:
            self._answer(lambda: shop.find(self._id()))

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            if shop.payments.is_genuine(self.headers, body):
                self._answer(lambda: shop.settle(json.loads(body)["requestId"]) or {})
            else:
                self._send(401, {"error": "the signature is wrong"})

        def _id(self) -> str:
            return self.path.removeprefix("/purchases/")

        def _answer(self, do) -> None:
            try:
                result = do()
                self._send(404 if result is None else 200, result)
            except Exception as error:  # the service repeats a webhook that is answered with 503
                self._send(503, {"error": str(error)})

        def _send(self, status: int, answer) -> None:
            body = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    return server


if __name__ == "__main__":
    opened = serve(Shop(Payments(os.environ)), int(os.environ.get("PORT", "3000")))
    print(f"The shop is open: http://127.0.0.1:{opened.server_port}")
    threading.Event().wait()
