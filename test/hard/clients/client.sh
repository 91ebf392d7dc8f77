#!/usr/bin/env bash
# A client in curl and openssl: creates an order and follows it to its end.
# usage: client.sh <base url> <requestId>
set -euo pipefail
base=$1 request=$2

signature=$(printf 'fiatAmount=10.00&requestId=%s' "$request" | openssl dgst -sha256 -hmac demo-secret -binary | openssl base64 -A)
created=$(curl -sS --fail-with-body "$base/v1/client/checkout/create-order" \
  -H 'access-token: demo-token' -H "signature: $signature" -H 'Content-Type: application/json' \
  -d "{\"currencyId\":\"usd_us\",\"fiatAmount\":\"10.00\",\"email\":\"a@example.com\",\"requestId\":\"$request\",\"clientId\":\"demo-client\"}")
[[ $created == *'"status":"CREATED"'* ]]

for _ in $(seq 200); do
  orders=$(curl -sS --fail-with-body -G "$base/v1/client/orders" -H 'access-token: demo-token' \
    --data-urlencode "requestId=$request" --data-urlencode clientId=demo-client)
  if [[ $orders == *'"orderStatus":"COMPLETED"'* ]]; then
    echo COMPLETED
    exit 0
  fi
  sleep 0.05
done
echo "never completed: $orders" >&2
exit 1
