import { existsSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { CliError } from '../cli-error.ts'
import { makeWritable, writeResult } from '../output-files.ts'
import { programCall, shellQuote } from '../program-call.ts'
import type { Terminal } from '../terminal.ts'

/** The file that `conform --init` writes. */
const initialConfig = `# yaml-language-server: $schema=node_modules/payment-order-emulator/conform/schema.json
# Configuration of payment-order-emulator conform: how to reach your application. \${NAME} and \${NAME:-default} in any
# text are replaced by environment variables.

# The client whose credentials your application uses.
client: demo-client

# URL where your application receives webhooks. With this alone, conform checks your answers to webhooks and your calls.
webhookUrl: http://127.0.0.1:3000/webhooks

# How your application verifies webhooks: standard (Standard Webhooks), hmac-body, settings (as
# the settings of the client say), or none.
webhookSignature: none

# A call that makes your application create an order. {unique} is different each time, {text} is a text that a customer
# types, {amount} is the price, like 10.00, and {cart} is the name of the cart: the same if a customer submits it twice.
# Leave out those for which your application has no field.
start:
  method: POST
  url: http://127.0.0.1:3000/orders
  headers:
    content-type: application/json
  body:
    amount: "{amount}"
    cart: "{cart}"
    email: buyer-{unique}@example.com
    note: "{text}"
  # JSON pointer to the requestId in the answer. If you leave it out, conform takes the requestId from the create call
  # that your application makes.
  requestId: /requestId
  # JSON pointer to your own order id in the answer, if the probe uses {id}.
  # id: /id

# A call that returns the status of an order in your application. conform needs it to check that each order is fulfilled
# once, and only when it is paid.
probe:
  url: http://127.0.0.1:3000/orders/{requestId}
  # JSON pointer to the status in the answer, and which of your status texts mean which status of the service.
  status: /status
  statuses:
    CREATED: [new, waiting]
    COMPLETED: paid
    FAILED: [declined, expired]
  # JSON pointer to the fulfilments of this order: a number, a list, or true or false.
  effects: /shipments
  # How much one paid order adds to that count, if not 1.
  # perEffect: 1

# The same as start, for a monthly subscription.
# startSubscription:
#   url: http://127.0.0.1:3000/subscriptions
#   body: { amount: "10.00", email: "buyer-{unique}@example.com" }
#   requestId: /requestId

# A call that makes your application give up an order, as a customer who cancels it. {id} is your own id of the order.
# cancel:
#   url: http://127.0.0.1:3000/orders/{requestId}/cancel

# A call that makes your application look up its open orders now, if a scheduled job does that.
# reconcile:
#   url: http://127.0.0.1:3000/jobs/reconcile

# A call that sends the time of the client's clock (epoch milliseconds) to your application whenever that clock has
# moved, if your application's clock can be set. Webhooks are still signed with the wall-clock time.
# time:
#   url: http://127.0.0.1:3000/test/clock
#   body: { now: "{now}" }

# How long your application may take to act on a webhook (settle), how long it may need to notice a change by polling
# without a webhook (polling), and how long conform waits at most for an expected reaction (patience).
# settle: 500ms
# polling: 10s
# patience: 5s
`

/** Runs `conform --init`: writes a configuration to fill in.
 *  @throws CliError if the file exists */
export function writeInitialConfig(file: string, force: boolean, terminal: Terminal): number {
  if (existsSync(file) && !force)
    throw new CliError(2, `error: ${JSON.stringify(file)} already exists; \`--force\` overwrites it`)
  makeWritable(file)
  writeResult(file, initialConfig.replace(schemaFile, besides(file)))
  terminal.out(nextSteps(file, programCall(terminal.env)))
  return 0
}

const schemaFile = 'node_modules/payment-order-emulator/conform/schema.json'

/** The path of the schema relative to the configuration file, as editors need it. */
const besides = (file: string): string =>
  relative(resolve(dirname(file)), resolve(schemaFile)).replaceAll('\\', '/')

/** @param call how this program was called, for the printed commands */
function nextSteps(file: string, call: string): string {
  const named = file === 'conform.yaml' ? '' : ` ${shellQuote(file)}`
  return `${file} is written. Next:

  1. Start the emulator, if it is not running:         ${call.replace(/ --$/, '')}
  2. Start your application with the emulator as its
     payment service. Its variables:                   ${call} status --env
  3. Fill in ${file}: webhookUrl, start and probe.
     Check it:                                         ${call} check ${shellQuote(file)}
  4. Run the test cases:                               ${call} conform${named}`
}
