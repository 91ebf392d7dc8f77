"""What the shop does about payments. It acts on one thing alone: what the service says when it is asked."""

import logging
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor

from orders import Orders
from payment_service import PaymentService, Refused
from transport import Unclear

ATTEMPTS_AT_ONCE = 4
ATTEMPTS_IN_ALL = 12
LONGEST_WAIT = 10.0
REFUNDS_FOR = 30 * 24 * 3600.0

log = logging.getLogger(__name__)


class Checkout:
    def __init__(self, orders: Orders, service: PaymentService):
        self._orders = orders
        self._service = service
        self._opening = set()
        self._opening_lock = threading.Lock()
        self._workers = ThreadPoolExecutor(8)
        self._clock_ahead = 0.0

    def set_clock(self, now_ms: int) -> None:
        self._clock_ahead = now_ms / 1000 - time.time()

    def begin(self, kind: str, amount: str, email: str, note: str) -> dict:
        """Keeps the order first, since a webhook can be faster than the answer, and opens it."""
        request_id = str(uuid.uuid4())
        self._orders.add(request_id, kind, amount, email, note)
        self._open(request_id)
        return self._orders.find(request_id)

    def settle(self, request_id: str) -> None:
        """Asks what has become of an order and acts on it; nothing for orders of others. Raises Unclear."""
        if self._orders.find(request_id) is None:
            return
        charges = self._service.charges(request_id)
        self._orders.settle(request_id, charges, self._now())

    def reconcile(self, with_refunds: bool) -> None:
        """Looks after all that is open, and after refunds of the last month."""
        self._for_each(self._orders.open(), self._look_after)
        if with_refunds:
            self._for_each(self._orders.paid_since(self._now() - REFUNDS_FOR), self._look_for_refunds)

    def _look_after(self, request_id: str) -> None:
        self.settle(request_id)
        order = self._orders.find(request_id)
        if not order["opened"] and order["status"] == "waiting":
            self._open(request_id)

    def _look_for_refunds(self, request_id: str) -> None:
        refunds, failure = self._service.refunds(request_id)
        self._orders.refunded(request_id, refunds, failure)

    def _open(self, request_id: str) -> None:
        with self._opening_lock:
            if request_id in self._opening:
                return
            self._opening.add(request_id)
        try:
            for attempt in range(ATTEMPTS_AT_ONCE):
                if attempt > 0:
                    time.sleep(max(0.1 * 2**attempt, min(self._service.pause, LONGEST_WAIT)))
                if self._try_to_open(self._orders.find(request_id)):
                    return
        finally:
            with self._opening_lock:
                self._opening.discard(request_id)

    def _try_to_open(self, order: dict) -> bool:
        """Whether nothing is left to try. A retry has the same requestId, so that there is one order at most."""
        request_id = order["request_id"]
        if order["opened"] or order["status"] != "waiting":
            return True
        try:
            if order["attempts"] > 0 and self._is_there(request_id):
                return True
            if order["attempts"] >= ATTEMPTS_IN_ALL:
                raise Refused("tried too often")
            self._orders.attempted(request_id)
            self._orders.opened(request_id, self._service.create(order))
            return True
        except Unclear as error:
            log.warning("order %s is not opened yet: %s", request_id, error)
            return False
        except Refused as error:
            log.error("order %s is refused: %s", request_id, error)
            self._orders.decline(request_id)
            return True

    def _is_there(self, request_id: str) -> bool:
        """Whether an attempt without an answer has made the order after all."""
        if not self._service.charges(request_id):
            return False
        self._orders.opened(request_id, None)
        return True

    def _for_each(self, request_ids: list[str], act) -> None:
        """What goes wrong with one keeps back no other."""

        def try_it(request_id: str) -> None:
            try:
                act(request_id)
            except Exception as error:
                log.warning("order %s: %s", request_id, error)

        list(self._workers.map(try_it, request_ids))

    def _now(self) -> float:
        return time.time() + self._clock_ahead
