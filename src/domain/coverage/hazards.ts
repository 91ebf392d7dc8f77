import { behaviours } from '../sweep/behaviours.ts'

/** A hazard: a behaviour of the provider that an application has to survive. */
export interface Hazard {
  readonly name: string
  /** The provider's behaviour, as part of a sentence: "sends each webhook twice". */
  readonly does: string
  /** Whether handling it wrongly loses money. */
  readonly losesMoney: boolean
  /** The line that causes it: a call of the library in a test, or a command. */
  readonly bring: string
}

const scenario = (id: string): string => `await client.scenarios.next('${id}')`
const fault = (text: string): string => `await client.faults.plan(${text})`
const sweep = (name: string): string => `payment-order-emulator sweep --only ${name} -- <command>`

/** How a test causes the behaviours of a sweep. The others need the command `sweep`. */
const broughtBy: Readonly<Record<string, string>> = {
  'webhook-twice': scenario('webhook-duplicate'),
  'webhook-again-later': fault("{ on: 'delivery', effect: { duplicate: 1, apart: '1h' } }"),
  'webhook-reversed': scenario('webhook-out-of-order'),
  'webhook-no-created': fault(
    "{ on: 'delivery', where: { orderStatus: 'CREATED' }, effect: { drop: true } }",
  ),
  'webhook-late': scenario('webhook-late'),
  'webhook-very-late': scenario('webhook-late'),
  'webhook-lost': scenario('webhook-never'),
  'webhook-before-answer': scenario('webhook-before-response'),
  'webhook-cut': fault("{ on: 'delivery', effect: { cut: 'end' } }"),
  'two-signatures': 'await client.rotateWebhookSecret()',
  'create-answer-lost': scenario('create-connection-reset'),
  'create-answer-500': scenario('create-500-order-exists'),
  'create-answer-slow': fault("{ on: 'create-order', when: 'stored', effect: { delay: '3s' } }"),
  'create-503': scenario('create-500-no-order'),
  'lookup-503': scenario('lookup-flaky'),
  'lookup-429': fault("{ on: 'orders', effect: { status: 429, retryAfter: 1 } }"),
  'lookup-html': scenario('lookup-flaky'),
  'lookup-behind': fault("{ on: 'orders', effect: { stale: true } }"),
  'lookup-unknown-status': scenario('unknown-status'),
  'answer-slow': fault("{ on: 'orders', when: 'stored', effect: { delay: '400ms' } }"),
  'token-expires': scenario('token-expires-midflow'),
  'expiry-offset': "await client.changeSettings({ 'time.offset': '-03:00' })",
}

/** The part of a behaviour that counts as met: slow lookups only make its bugs more likely to show. */
const justThat: Readonly<Record<string, string>> = {
  'webhook-twice': 'sends each webhook twice at the same time',
  'webhook-retry-meets-next': 'delivers the retry of CREATED together with the final webhook',
}

/** Hazards of conform's cases that are no behaviours of a sweep, because they are illegal or change the order's
 *  outcome. Facts that the emulator cannot see are left out: the application's speed, its customers' input, and
 *  requests to its pages. */
const fromConform: readonly Hazard[] = [
  {
    name: 'order-failed',
    does: 'fails an order',
    losesMoney: true,
    bring: scenario('fail-9004'),
  },
  {
    name: 'order-paid-then-failed',
    does: 'fails an order after it was paid',
    losesMoney: true,
    bring: scenario('paid-then-failed'),
  },
  {
    name: 'order-underpaid',
    does: 'ends an order that was paid in part',
    losesMoney: true,
    bring: scenario('underpaid-failed'),
  },
  {
    name: 'order-overpaid',
    does: 'ends an order that was paid too much',
    losesMoney: false,
    bring: scenario('overpaid'),
  },
  {
    name: 'subscription-charge-failed',
    does: 'fails a later charge of a subscription',
    losesMoney: true,
    bring: scenario('sub-month3-fails'),
  },
  {
    name: 'refund-failed',
    does: 'fails a refund',
    losesMoney: false,
    bring: scenario('refund-failed'),
  },
  {
    name: 'webhook-retried',
    does: 'sends a webhook again after a failed attempt',
    losesMoney: true,
    bring: scenario('webhook-endpoint-down'),
  },
  {
    name: 'webhook-another-id',
    does: 'sends a second webhook of the same status with another `webhook-id`',
    losesMoney: true,
    bring: "await client.deliveries.send({ event: { requestId, orderStatus: 'COMPLETED' } })",
  },
  {
    name: 'webhook-forged',
    does: 'delivers a forged webhook, with a wrong signature or none',
    losesMoney: true,
    bring: scenario('webhook-forged'),
  },
  {
    name: 'webhook-untrue',
    does: 'delivers a webhook with a final status that the order does not have',
    losesMoney: true,
    bring: "await client.deliveries.send({ event: { requestId, orderStatus: 'COMPLETED' } })",
  },
  {
    name: 'webhook-wrong-time',
    does: 'delivers a webhook that was signed more than five minutes in the past or future',
    losesMoney: false,
    bring: fault("{ on: 'delivery', effect: { timestamp: '-10m' } }"),
  },
  {
    name: 'webhook-clock-off',
    does: 'signs a webhook with a time that is up to five minutes off',
    losesMoney: false,
    bring: fault("{ on: 'delivery', effect: { timestamp: '-4m' } }"),
  },
  {
    name: 'webhook-unknown-status',
    does: 'sends a webhook with an unknown status',
    losesMoney: false,
    bring: scenario('unknown-status'),
  },
  {
    name: 'webhook-no-event',
    does: 'delivers a webhook that is not a JSON object',
    losesMoney: false,
    bring: "await client.deliveries.send({ body: '[]' })",
  },
  {
    name: 'webhook-two-legs',
    does: 'sends two webhooks of one status with different values of `orderType`',
    losesMoney: false,
    bring: scenario('two-leg-events'),
  },
  {
    name: 'webhook-url-moved',
    does: 'sends the webhooks of one order to different URLs',
    losesMoney: false,
    bring: scenario('url-changed-midflow'),
  },
  {
    name: 'lookup-fails-in-webhook',
    does: 'fails a lookup while your application handles the webhook of the order',
    losesMoney: true,
    bring: fault("{ on: 'orders', times: 3, effect: { status: 503 } }"),
  },
  {
    name: 'create-429',
    does: 'answers a create call with 429',
    losesMoney: false,
    bring: fault("{ on: 'create-order', effect: { status: 429, retryAfter: 2 } }"),
  },
  {
    name: 'tokens-refused',
    does: 'refuses every access token for a while',
    losesMoney: false,
    bring: scenario('token-revoked-loop'),
  },
]

/** All hazards, in the order of the report. */
export const hazards: readonly Hazard[] = [
  ...behaviours.map(({ name, does, quick = false }) => ({
    name,
    does: justThat[name] ?? does,
    losesMoney: quick,
    bring: broughtBy[name] ?? sweep(name),
  })),
  ...fromConform,
]
