"""What the shop does about payments. It acts on one thing alone: what the service says when it is asked."""

import logging
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor

from orders import Orders, Wanted
from payment_service import PaymentService, Refused
from transport import Unclear

ATTEMPTS_AT_ONCE = 4
ATTEMPTS_IN_ALL = 12
LONGEST_WAIT = 10.0
MINUTE = 60.0
DAY = 24 * 60 * MINUTE
# Grace period after expiryTs, and the time for a payment if the service returned no expiryTs.
GRACE = 15 * MINUTE
USUAL_TIME = 60 * MINUTE
# How long orders are looked up after they ended: unpaid ones may be paid, paid ones refunded.
LATE_FOR = 2 * DAY
REFUNDS_FOR = 30 * DAY

log = logging.getLogger(__name__)


class Checkout:
    def __init__(self, orders: Orders, service: PaymentService, poll_interval: float):
        self._orders = orders
        self._service = service
        self._poll_interval = poll_interval
        # The time of the next lookup, by request id. After a start every order is due.
        self._next_look = {}
        self._opening = set()
        self._opening_lock = threading.Lock()
        self._workers = ThreadPoolExecutor(8)
        self._clock_ahead = 0.0

    def set_clock(self, now_ms: int) -> None:
        self._clock_ahead = now_ms / 1000 - time.time()

    def begin(self, wanted: Wanted) -> dict:
        """Keeps the order first, since a webhook can be faster than the answer, and opens it. A cart that is
        submitted again gets the same order."""
        request_id = self._orders.add(str(uuid.uuid4()), wanted, self._now())
        self._open(request_id)
        return self._orders.find(request_id)

    def settle(self, request_id: str) -> None:
        """Asks what has become of an order and acts on it; nothing for orders of others. Raises Unclear."""
        order = self._orders.find(request_id)
        if order is None:
            return
        self._look_later(order)
        charges = self._service.charges(request_id)
        self._orders.settle(request_id, charges, self._now())

    def cancel(self, request_id: str) -> None:
        """Cancels an order unless it is paid. Raises Unclear."""
        self.settle(request_id)
        self._orders.end(request_id, "cancelled", self._now())

    def poll(self) -> None:
        """Looks up the orders whose next lookup is due."""
        self._look_after_those(lambda request_id: self._next_look.get(request_id, 0.0) <= self._now())

    def reconcile(self) -> None:
        """Looks up all orders that may still change."""
        self._look_after_those(lambda request_id: True)

    def _look_after_those(self, fit) -> None:
        now = self._now()
        not_decided = [*filter(fit, self._orders.open(now - LATE_FOR))]
        paid = [*filter(fit, self._orders.paid_since(now - REFUNDS_FOR))]
        self._for_each(not_decided, self._look_after)
        self._for_each(paid, self._look_for_refunds)

    def _look_after(self, request_id: str) -> None:
        self.settle(request_id)
        order = self._orders.find(request_id)
        if order["status"] != "waiting":
            return
        if not order["opened"]:
            self._open(request_id)
        elif self._is_over(order):
            self._orders.end(request_id, "expired", self._now())

    def _is_over(self, order: dict) -> bool:
        """Whether the time for the payment is over. A subscription has no end."""
        end = order["expires_at"] or order["created_at"] + USUAL_TIME
        return order["kind"] == "checkout" and self._now() > end + GRACE

    def _look_for_refunds(self, request_id: str) -> None:
        self._look_later(self._orders.find(request_id))
        refunds, failure = self._service.refunds(request_id)
        self._orders.refunded(request_id, refunds, failure)

    def _look_later(self, order: dict) -> None:
        """Schedules the next lookup: soon while the customer may be paying, then later and later."""
        age = self._now() - (order["decided_at"] or order["created_at"])
        longest = 5.0 if order["status"] == "waiting" and age < 15 * MINUTE else 60 * MINUTE
        pause = min(max(age / 3, self._poll_interval), longest)
        self._next_look[order["request_id"]] = self._now() + pause

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
            token, expires_at = self._service.create(order)
            self._orders.opened(request_id, token, expires_at)
            return True
        except Unclear as error:
            log.warning("order %s is not opened yet: %s", request_id, error)
            return False
        except Refused as error:
            log.error("order %s is refused: %s", request_id, error)
            self._orders.end(request_id, "declined", self._now())
            return True

    def _is_there(self, request_id: str) -> bool:
        """Whether an attempt without an answer has made the order after all."""
        if not self._service.charges(request_id):
            return False
        self._orders.opened(request_id, None, None)
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
