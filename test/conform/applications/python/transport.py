"""Calls of the payment service: with a time limit, and none while it wants none."""

import http.client
import json
import threading
import time
import urllib.error
import urllib.request
from email.utils import parsedate_to_datetime

# Enough for a burst of webhooks, and no more than a service takes kindly.
AT_ONCE = 16


class Unclear(Exception):
    """No answer, or none to go by: ask again later."""


class Transport:
    def __init__(self, timeout: float):
        self._timeout = timeout
        self._not_before = 0.0
        self._slots = threading.Semaphore(AT_ONCE)

    @property
    def pause(self) -> float:
        """How long the service wants to hear nothing, seconds."""
        return max(0.0, self._not_before - time.monotonic())

    def send(self, method: str, url: str, headers: dict, body=None) -> tuple[int, object]:
        """The status and the JSON that came; None instead of what is no JSON. Raises Unclear."""
        if self.pause > 0:
            raise Unclear(f"no call for {self.pause:.1f} s")
        with self._slots:
            status, answered, text = self._exchange(method, url, headers, body)
        if status == 429:
            self._not_before = time.monotonic() + retry_after(answered.get("Retry-After"))
        if status == 429 or status >= 500:
            raise Unclear(f"{method} {url}: {status}")
        try:
            return status, json.loads(text)
        except ValueError:
            return status, None

    def _exchange(self, method, url, headers, body):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Accept": "application/json", "Content-Type": "application/json", **headers}
        request = urllib.request.Request(url, data, headers, method=method)
        try:
            try:
                with urllib.request.urlopen(request, timeout=self._timeout) as response:
                    return response.status, response.headers, response.read()
            except urllib.error.HTTPError as error:
                with error:
                    return error.code, error.headers, error.read()
        except (OSError, http.client.HTTPException) as error:
            raise Unclear(f"{method} {url}: {error}") from error


def retry_after(text: str | None) -> float:
    """Seconds or a date; a second if it says neither."""
    if text is not None and text.isdigit():
        return float(text)
    try:
        return max(1.0, parsedate_to_datetime(text or "").timestamp() - time.time())
    except ValueError:
        return 1.0
