"""The payment order service, as this shop uses it."""

import base64
import hashlib
import hmac
from datetime import datetime
from urllib.parse import urlencode

from access_token import AccessToken
from settings import Settings
from transport import Transport, Unclear


class Refused(Exception):
    """The service will never make this order."""


def signature_of(text: bytes, api_secret: str) -> str:
    return base64.b64encode(hmac.digest(api_secret.encode(), text, hashlib.sha256)).decode()


class PaymentService:
    def __init__(self, settings: Settings):
        self._settings = settings
        self._transport = Transport(settings.call_timeout)
        self._token = AccessToken(self._transport, settings)

    @property
    def pause(self) -> float:
        """How long the service wants to hear nothing, seconds."""
        return self._transport.pause

    def create(self, order: dict) -> tuple[str | None, float | None]:
        """Makes the order. Returns its token and the end of the time for the payment; None for both if the order
        existed already. Raises Unclear, Refused."""
        if order["kind"] == "subscription":
            return self._create_subscription(order)
        signed = {"fiatAmount": order["amount"], "requestId": order["request_id"]}
        more = {"callbackUrl": f"http://127.0.0.1:{self._settings.port}/return"}
        if order["note"]:
            more["userMessage"] = order["note"]
        members = {"currencyId": "usd_us", "email": order["email"], **signed, **more}
        return self._create("checkout", signed, members)

    def _create_subscription(self, order: dict) -> tuple[str | None, float | None]:
        signed = {
            "currencyId": "usd_us",
            "fiatAmount": order["amount"],
            "requestId": order["request_id"],
            "interval": "MONTHLY",
            "trialPeriodDays": "7",
        }
        return self._create("subscription", signed, {"email": order["email"], **signed})

    def _create(self, kind: str, signed: dict, members: dict) -> tuple[str | None, float | None]:
        text = "&".join(f"{name}={value}" for name, value in signed.items())
        headers = {"signature": signature_of(text.encode(), self._settings.api_secret)}
        body = {"clientId": self._settings.client_id, **members}
        status, answer = self._authorized("POST", f"/v1/client/{kind}/create-order", headers, body)
        error = answer.get("error") if isinstance(answer, dict) else None
        if isinstance(error, dict) and error.get("code") == "7001":
            return None, None
        if status != 200:
            raise Refused(f"create-order: {status} {answer}")
        if not isinstance(answer, dict):
            raise Unclear("create-order: 200 with an answer that cannot be read")
        return answer.get("token"), end_of(answer.get("offerInfoData"))

    def charges(self, request_id: str) -> list[dict]:
        """What was to be paid: nothing yet, one payment, or one for each period. Raises Unclear."""
        answer = self._look_up("orders", request_id)
        records = answer.get("data")
        if not isinstance(records, list):
            raise Unclear("orders: no list")
        return [record for record in records if isinstance(record.get("orderId"), str)]

    def refunds(self, request_id: str) -> tuple[list[dict], str | None]:
        """The refunds, and the code of the latest failure, which stands beside them. Raises Unclear."""
        answer = self._look_up("fiat-refunds", request_id)
        reason = answer.get("errorReason") or {}
        return answer.get("data") or [], reason.get("errorCode") or None

    def _look_up(self, what: str, request_id: str) -> dict:
        query = urlencode({"requestId": request_id, "clientId": self._settings.client_id})
        status, answer = self._authorized("GET", f"/v1/client/{what}?{query}", {})
        if status != 200 or not isinstance(answer, dict):
            raise Unclear(f"{what}: {status}")
        return answer

    def _authorized(self, method: str, path: str, headers: dict, body=None) -> tuple[int, object]:
        """401 whose error is a text is about the token, and worth one repetition with another."""
        url = self._settings.base_url + path
        token = self._token.current()
        status, answer = self._transport.send(method, url, {**headers, "access-token": token}, body)
        if refuses_token(status, answer):
            other = self._token.instead_of(token)
            status, answer = self._transport.send(method, url, {**headers, "access-token": other}, body)
            if refuses_token(status, answer):
                self._token.give_up(other)
                raise Unclear("a new access token was refused")
        self._token.works()
        return status, answer


def end_of(offer: object) -> float | None:
    """The end of the time for the payment. fromisoformat respects the UTC offset."""
    try:
        return datetime.fromisoformat(offer["expiryTs"]).timestamp()
    except (TypeError, KeyError, ValueError):
        return None


def refuses_token(status: int, answer: object) -> bool:
    return status == 401 and isinstance(answer, dict) and isinstance(answer.get("error"), str)
