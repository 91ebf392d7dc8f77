"""The shop's web API: a thread for each connection."""

import base64
import hmac
import html
import json
import logging
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from checkout import Checkout
from orders import Orders, Wanted
from payment_service import signature_of
from settings import Settings
from transport import Unclear

AMOUNT = re.compile(r"\d+(\.\d{1,2})?")
LONGEST_BODY = 2 * 1024 * 1024

log = logging.getLogger(__name__)


class Shop(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, settings: Settings, orders: Orders, checkout: Checkout):
        super().__init__(("127.0.0.1", settings.port), Handler)
        self.settings = settings
        self.orders = orders
        self.checkout = checkout


class Handler(BaseHTTPRequestHandler):
    server: Shop
    protocol_version = "HTTP/1.1"
    # Head and body leave in one piece.
    wbufsize = -1

    def do_GET(self):
        self._route({"/return": self._return}, self._show_order)

    def do_POST(self):
        routes = {
            "/orders": lambda: self._begin("checkout"),
            "/subscriptions": lambda: self._begin("subscription"),
            "/webhooks": self._webhook,
            "/reconcile": self._reconcile,
            "/clock": self._set_clock,
        }
        path = urlsplit(self.path).path
        if path.startswith("/orders/") and path.endswith("/cancel"):
            routes[path] = lambda: self._cancel(path.removeprefix("/orders/").removesuffix("/cancel"))
        self._route(routes, lambda: self._json(404, {"error": "There is nothing here"}))

    def _route(self, routes, otherwise):
        self._body = self._read()
        if self._body is None:
            return
        try:
            routes.get(urlsplit(self.path).path, otherwise)()
        except (BrokenPipeError, ConnectionResetError):
            log.warning("%s: nobody waits for the answer", self.path)
        except Exception:
            log.exception("%s", self.path)
            self._json(500, {"error": "Something went wrong"})

    def _begin(self, kind: str):
        body = parsed(self._body)
        texts = {name: body.get(name, "") for name in ("amount", "email", "note", "cart")}
        if not all(isinstance(text, str) for text in texts.values()):
            return self._json(400, {"error": "amount, email, note and cart are texts"})
        if not AMOUNT.fullmatch(texts["amount"]) or "@" not in texts["email"]:
            return self._json(400, {"error": "amount or email is wrong"})
        order = self.server.checkout.begin(Wanted(kind=kind, **texts))
        answer = {"requestId": order["request_id"], "token": order["token"], "status": order["status"]}
        self._json(201, answer)

    def _show_order(self):
        request_id = urlsplit(self.path).path.removeprefix("/orders/")
        order = self.server.orders.find(request_id)
        if order is None:
            return self._json(404, {"error": "There is no such order"})
        counts = {"parcels": self.server.orders.parcels(request_id)}
        refunds = {"refunds": self.server.orders.refunds(request_id)}
        self._json(200, {"requestId": request_id, "status": order["status"], **counts, **refunds})

    def _cancel(self, request_id: str):
        if self.server.orders.find(request_id) is None:
            return self._json(404, {"error": "There is no such order"})
        try:
            self.server.checkout.cancel(request_id)
        except Unclear as error:
            log.warning("%s", error)
            return self._json(503, {"error": "The order cannot be looked up now; try again"})
        self._json(200, {"requestId": request_id, "status": self.server.orders.find(request_id)["status"]})

    def _webhook(self):
        """Answers 2xx only when the order has been looked after; otherwise the service sends again."""
        if not self._is_genuine():
            return self._json(401, {"error": "The signature is wrong"})
        event = parsed(self._body)
        if not isinstance(event.get("requestId"), str):
            return self._json(400, {"error": "This is no event"})
        ours = self.server.settings.client_id
        if event.get("clientId") not in (ours, None):
            return self._json(200, {"ignored": "for another client"})
        try:
            self.server.checkout.settle(event["requestId"])
        except Unclear as error:
            log.warning("%s", error)
            return self._json(503, {"error": "The order cannot be looked up now; send again"})
        self._json(200, {})

    def _is_genuine(self) -> bool:
        """Signed is what was sent, byte for byte."""
        signature = signature_of(self._body, self.server.settings.api_secret)
        sent = self.headers.get("signature") or ""
        return hmac.compare_digest(signature.encode(), sent.encode())

    def _return(self):
        """The browser says which order to look up; what has become of it only the service says."""
        [data] = parse_qs(urlsplit(self.path).query).get("data", [""])[:1]
        request_id = request_id_in(data)
        try:
            self.server.checkout.settle(request_id)
        except Unclear as error:
            log.warning("%s", error)
        order = self.server.orders.find(request_id)
        status = "unknown" if order is None else order["status"]
        page = f"<!doctype html><title>Your order</title><p>Your order {html.escape(request_id)} is {status}.</p>"
        self._answer(200, "text/html; charset=utf-8", page.encode())

    def _reconcile(self):
        self.server.checkout.reconcile()
        self._json(200, {})

    def _set_clock(self):
        self.server.checkout.set_clock(int(parsed(self._body)["now"]))
        self._json(200, {})

    def _read(self) -> bytes | None:
        length = int(self.headers.get("Content-Length") or 0)
        if length > LONGEST_BODY:
            self.close_connection = True
            self._json(413, {"error": "The body is too long"})
            return None
        body = self.rfile.read(length)
        return body if len(body) == length else None

    def _json(self, status: int, value: object):
        self._answer(status, "application/json", json.dumps(value).encode())

    def _answer(self, status: int, content_type: str, body: bytes):
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def log_message(self, *_):
        """No line for each request."""


def parsed(body: bytes) -> dict:
    """The JSON object of a body; an empty one if it is none."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def request_id_in(data: str) -> str:
    try:
        padded = data + "=" * (-len(data) % 4)
        return str(parsed(base64.urlsafe_b64decode(padded)).get("requestId", ""))
    except ValueError:
        return ""
