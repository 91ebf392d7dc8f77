"""Orders, the parcels sent for them and their refunds, in SQLite."""

import json
import sqlite3
import threading
from contextlib import contextmanager
from dataclasses import dataclass

TABLES = """
PRAGMA journal_mode = WAL;
CREATE TABLE IF NOT EXISTS orders (
  request_id TEXT PRIMARY KEY, kind TEXT NOT NULL, amount TEXT NOT NULL, email TEXT NOT NULL,
  note TEXT NOT NULL, cart TEXT NOT NULL, status TEXT NOT NULL DEFAULT 'waiting', token TEXT,
  opened INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0,
  created_at REAL NOT NULL, decided_at REAL, expires_at REAL, refund_failure TEXT);
CREATE TABLE IF NOT EXISTS parcels (
  request_id TEXT NOT NULL, order_id TEXT NOT NULL, PRIMARY KEY (request_id, order_id));
CREATE TABLE IF NOT EXISTS refunds (
  request_id TEXT NOT NULL, refund_id TEXT NOT NULL, amount TEXT, status TEXT,
  PRIMARY KEY (request_id, refund_id));
"""


@dataclass(frozen=True)
class Wanted:
    kind: str
    amount: str
    email: str
    note: str
    cart: str


class Orders:
    """One connection for all threads; each of them waits for its turn."""

    def __init__(self, database: str):
        self._connection = sqlite3.connect(database, check_same_thread=False)
        self._connection.row_factory = sqlite3.Row
        self._connection.executescript(TABLES)
        self._lock = threading.RLock()

    def add(self, request_id: str, wanted: Wanted, now: float) -> str:
        """Adds an order, unless its cart has an open or paid one. Returns the request id of the order."""
        with self._transaction() as run:
            if wanted.cart:
                statement = "SELECT request_id FROM orders WHERE cart = ? AND status IN ('waiting', 'paid')"
                if row := run(statement, (wanted.cart,)).fetchone():
                    return row["request_id"]
            # As JSON: not every text that a browser can send is one for SQLite.
            values = (request_id, wanted.kind, wanted.amount, wanted.email, json.dumps(wanted.note), wanted.cart, now)
            run(
                "INSERT INTO orders (request_id, kind, amount, email, note, cart, created_at) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                values,
            )
            return request_id

    def find(self, request_id: str) -> dict | None:
        with self._transaction() as run:
            row = run("SELECT * FROM orders WHERE request_id = ?", (request_id,)).fetchone()
        return None if row is None else {**dict(row), "note": json.loads(row["note"])}

    def parcels(self, request_id: str) -> int:
        with self._transaction() as run:
            return run("SELECT count(*) FROM parcels WHERE request_id = ?", (request_id,)).fetchone()[0]

    def refunds(self, request_id: str) -> list[dict]:
        with self._transaction() as run:
            rows = run("SELECT refund_id, amount, status FROM refunds WHERE request_id = ?", (request_id,))
            return [{"refundId": id, "fiatAmount": amount, "status": status} for id, amount, status in rows]

    def open(self, ended_since: float) -> list[str]:
        """Lists open orders, orders that ended unpaid since then, and subscriptions."""
        return self._ids(
            "status = 'waiting' OR kind = 'subscription' OR (status != 'paid' AND decided_at >= ?)", ended_since
        )

    def paid_since(self, since: float) -> list[str]:
        return self._ids("status = 'paid' AND decided_at >= ?", since)

    def attempted(self, request_id: str) -> None:
        with self._transaction() as run:
            run("UPDATE orders SET attempts = attempts + 1 WHERE request_id = ?", (request_id,))

    def opened(self, request_id: str, token: str | None, expires_at: float | None) -> None:
        with self._transaction() as run:
            run(
                "UPDATE orders SET opened = 1, token = ?, expires_at = ? WHERE request_id = ?",
                (token, expires_at, request_id),
            )

    def end(self, request_id: str, status: str, now: float) -> None:
        """Ends the wait for a payment: `declined`, `cancelled` or `expired`. The payment may still arrive."""
        with self._transaction() as run:
            run(
                "UPDATE orders SET status = ?, decided_at = ? "
                "WHERE request_id = ? AND status IN ('waiting', 'expired')",
                (status, now, request_id),
            )

    def settle(self, request_id: str, charges: list[dict], now: float) -> None:
        """Takes over what the service says, all or nothing: a parcel for each completed payment that has
        none. What is paid stays paid."""
        statuses = [charge.get("orderStatus") for charge in charges]
        with self._transaction() as run:
            for charge in charges:
                if charge.get("orderStatus") == "COMPLETED":
                    run("INSERT OR IGNORE INTO parcels VALUES (?, ?)", (request_id, charge["orderId"]))
            if "COMPLETED" in statuses:
                run(
                    "UPDATE orders SET status = 'paid', opened = 1, decided_at = ? "
                    "WHERE request_id = ? AND status != 'paid'",
                    (now, request_id),
                )
            if statuses and all(status == "FAILED" for status in statuses):
                self.end(request_id, "declined", now)

    def refunded(self, request_id: str, refunds: list[dict], failure: str | None) -> None:
        with self._transaction() as run:
            for refund in refunds:
                values = (request_id, refund.get("refundId"), refund.get("fiatAmount"), refund.get("status"))
                run("INSERT OR REPLACE INTO refunds VALUES (?, ?, ?, ?)", values)
            run("UPDATE orders SET refund_failure = ? WHERE request_id = ?", (failure, request_id))

    def _ids(self, condition: str, *values) -> list[str]:
        with self._transaction() as run:
            rows = run(f"SELECT request_id FROM orders WHERE {condition}", values)
            return [row["request_id"] for row in rows]

    @contextmanager
    def _transaction(self):
        with self._lock:
            nested = self._connection.in_transaction
            try:
                yield self._connection.execute
            except BaseException:
                self._connection.rollback()
                raise
            if not nested:
                self._connection.commit()
