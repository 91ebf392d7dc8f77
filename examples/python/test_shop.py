import json
import os
import unittest
import urllib.request
import uuid

from shop import Payments, Shop, serve

EMULATOR = os.environ["EMULATOR_URL"] + "/_emulator"
CLIENT = os.environ["PAYMENT_ORDER_CLIENT_ID"]


def call(method: str, url: str, body: "dict | None" = None) -> dict:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json"}, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.loads(answer.read() or b"null")


class ShopTest(unittest.TestCase):
    def setUp(self) -> None:
        server = serve(Shop(Payments(os.environ)), 0)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.shop = f"http://127.0.0.1:{server.server_port}"
        # The clock of the client stands still until a test moves it.
        call("PUT", f"{EMULATOR}/clock?clientId={CLIENT}", {"mode": "manual"})
        call("PATCH", f"{EMULATOR}/clients/{CLIENT}", {"webhookUrl": f"{self.shop}/webhooks"})

    def buy(self) -> str:
        return call("PUT", f"{self.shop}/purchases/{uuid.uuid4()}")["id"]

    def purchase(self, request_id: str) -> dict:
        return call("GET", f"{self.shop}/purchases/{request_id}")

    def after_ten_minutes(self) -> None:
        call("POST", f"{EMULATOR}/clock/advance?clientId={CLIENT}", {"by": "10m"})

    def test_ships_what_has_been_paid(self) -> None:
        bought = self.buy()
        self.after_ten_minutes()
        self.assertEqual(self.purchase(bought), {"id": bought, "state": "shipped", "parcels": 1})

    def test_ships_nothing_before_it_is_paid(self) -> None:
        self.assertEqual(self.purchase(self.buy())["parcels"], 0)

    def test_ships_nothing_when_the_payment_fails(self) -> None:
        call("POST", f"{EMULATOR}/scenarios/next?clientId={CLIENT}", {"scenario": "fail-9004"})
        bought = self.buy()
        self.after_ten_minutes()
        self.assertEqual(self.purchase(bought), {"id": bought, "state": "declined", "parcels": 0})


if __name__ == "__main__":
    unittest.main()
