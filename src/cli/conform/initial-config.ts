/** What `conform --init` writes. */
export const initialConfig = `# yaml-language-server: $schema=node_modules/payment-order-emulator/conform/schema.json
# How payment-order-emulator conform reaches your application. \${NAME} and \${NAME:-default} in any text stand for
# environment variables.

# Whose credentials your application has.
client: demo-client

# Where your application takes webhooks. With this alone, conform judges what it answers and what it asks.
webhookUrl: http://127.0.0.1:3000/webhooks

# How it verifies them: standard (Standard Webhooks), hmac-body, or none.
webhookSignature: none

# A call that makes your application create an order. {unique} is new each time; {text} is something that a customer
# has typed, so leave it out if there is no such field.
start:
  method: POST
  url: http://127.0.0.1:3000/orders
  headers:
    content-type: application/json
  body:
    amount: "10.00"
    email: buyer-{unique}@example.com
    note: "{text}"
  # Where the requestId stands in the answer, as a JSON pointer. Without it, conform takes the one of the create call
  # that your application makes.
  requestId: /requestId
  # Where your own name of the order stands, if the probe asks by that: {id}
  # id: /id

# A call that asks your application for an order. This is what shows whether it released goods once, and only when they
# were paid.
probe:
  url: http://127.0.0.1:3000/orders/{requestId}
  # Where its status stands in the answer, and which of its words mean what.
  status: /status
  statuses:
    CREATED: [new, waiting]
    COMPLETED: paid
    FAILED: [declined, expired]
  # Where it counts what was released for this order: a number, a list, or true and false.
  effects: /shipments
  # By how much that grows for one paid order, if not by 1.
  # perEffect: 1

# The same as start, for a monthly subscription.
# startSubscription:
#   url: http://127.0.0.1:3000/subscriptions
#   body: { amount: "10.00", email: "buyer-{unique}@example.com" }
#   requestId: /requestId

# Makes it look its open orders up now, if a job does that now and then.
# reconcile:
#   url: http://127.0.0.1:3000/jobs/reconcile

# Tells it the time (epoch milliseconds) whenever the client's clock has moved, if its own clock can be set.
# Webhooks are signed with the real time all the same.
# time:
#   url: http://127.0.0.1:3000/test/clock
#   body: { now: "{now}" }

# How long it may take to act on a webhook; within which time it finds by polling what no webhook has told; and how long
# is waited at most for what must happen.
# settle: 500ms
# polling: 10s
# patience: 5s
`
