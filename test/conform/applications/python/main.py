"""Starts the shop, and its poller."""

import logging
import threading
import time

from checkout import Checkout
from orders import Orders
from payment_service import PaymentService
from settings import read_settings
from web import Shop


def poll(checkout: Checkout, interval: float) -> None:
    while True:
        checkout.poll()
        time.sleep(interval)


def main() -> None:
    logging.basicConfig(level=logging.WARNING)
    settings = read_settings()
    orders = Orders(settings.database)
    checkout = Checkout(orders, PaymentService(settings), settings.poll_interval)
    shop = Shop(settings, orders, checkout)
    threading.Thread(target=poll, args=(checkout, settings.poll_interval), daemon=True).start()
    print(f"The shop is open: http://127.0.0.1:{settings.port}", flush=True)
    shop.serve_forever()


main()
