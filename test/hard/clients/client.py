"""A client in Python's standard library: creates an order and follows it to its end.
usage: client.py <base url> <requestId>"""
import base64, hashlib, hmac, json, sys, time, urllib.parse, urllib.request

base, request_id = sys.argv[1:3]
text = f"fiatAmount=10.00&requestId={request_id}"
signature = base64.b64encode(hmac.new(b"demo-secret", text.encode(), hashlib.sha256).digest()).decode()
body = {
    "currencyId": "usd_us",
    "fiatAmount": "10.00",
    "email": "a@example.com",
    "requestId": request_id,
    "clientId": "demo-client",
}


def call(path, data=None, **headers):
    headers["access-token"] = "demo-token"
    request = urllib.request.Request(base + path, data=data, headers=headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


created = call(
    "/v1/client/checkout/create-order",
    json.dumps(body).encode(),
    **{"signature": signature, "Content-Type": "application/json"},
)
assert created["status"] == "CREATED", created

query = urllib.parse.urlencode({"requestId": request_id, "clientId": "demo-client"})
for _ in range(200):
    status = call(f"/v1/client/orders?{query}")["data"][0]["orderStatus"]
    if status == "COMPLETED":
        print(status)
        sys.exit(0)
    time.sleep(0.05)
sys.exit(f"never completed: {status}")
