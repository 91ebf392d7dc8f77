"""What the shop has to know, from the environment."""

import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """Times are in seconds."""

    port: int
    base_url: str
    client_id: str
    api_secret: str
    access_token: str | None
    database: str
    poll_interval: float
    call_timeout: float


def read_settings() -> Settings:
    """Raises KeyError with the name of the variable that is missing."""
    return Settings(
        port=int(os.environ.get("PORT", "3000")),
        base_url=os.environ["PAYMENT_ORDER_BASE_URL"].rstrip("/"),
        client_id=os.environ["PAYMENT_ORDER_CLIENT_ID"],
        api_secret=os.environ["PAYMENT_ORDER_API_SECRET"],
        access_token=os.environ.get("PAYMENT_ORDER_ACCESS_TOKEN"),
        database=os.environ.get("DATABASE", ":memory:"),
        poll_interval=int(os.environ.get("POLL_MS", "1000")) / 1000,
        call_timeout=int(os.environ.get("CALL_TIMEOUT_MS", "2000")) / 1000,
    )
