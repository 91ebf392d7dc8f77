"""The access token, got when it is needed, by one thread for all."""

import threading
import time

from transport import Transport, Unclear

SHORTEST_PAUSE = 0.5
LONGEST_PAUSE = 4.0


class AccessToken:
    def __init__(self, transport: Transport, settings):
        self._transport = transport
        self._settings = settings
        self._token = settings.access_token
        # Whether it was accepted; that which was given is taken for good.
        self._proven = True
        self._lock = threading.Lock()
        self._refused_in_a_row = 0
        self._not_before = 0.0

    def current(self) -> str:
        with self._lock:
            return self._token or self._fetch()

    def instead_of(self, refused: str) -> str:
        """Another one; the one that another thread has got meanwhile, if there is one."""
        with self._lock:
            if self._token == refused:
                self._token = None
                if not self._proven:
                    self._pause()
            return self._token or self._fetch()

    def give_up(self, refused: str) -> None:
        """A new one was refused as well: nobody asks for another for a while, longer each time."""
        with self._lock:
            if self._token == refused:
                self._token = None
                self._pause()

    def works(self) -> None:
        self._proven = True
        self._refused_in_a_row = 0

    def _fetch(self) -> str:
        if time.monotonic() < self._not_before:
            raise Unclear("no access token for now")
        url = f"{self._settings.base_url}/_emulator/access-token"
        credentials = {"clientId": self._settings.client_id, "apiSecret": self._settings.api_secret}
        status, body = self._transport.send("POST", url, {}, credentials)
        if status != 200 or not isinstance(body, dict) or "accessToken" not in body:
            self._pause()
            raise Unclear(f"no access token was given: {status}")
        self._token = body["accessToken"]
        self._proven = False
        return self._token

    def _pause(self) -> None:
        seconds = min(LONGEST_PAUSE, SHORTEST_PAUSE * 2**self._refused_in_a_row)
        self._not_before = time.monotonic() + seconds
        self._refused_in_a_row += 1
