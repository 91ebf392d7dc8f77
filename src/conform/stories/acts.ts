/** Who an act concerns. `create`: begins the story. `payer`: moves the order at the service. `order`: concerns one
 *  order. `client`: concerns all orders of the client, so all stories that run beside each other have it. */
export type ActScope = 'create' | 'payer' | 'order' | 'client'

interface ActShape {
  readonly scope: ActScope
  /** What it does, in a sentence. */
  readonly does: string
  /** How far it moves the clock, milliseconds; a second if left out. */
  readonly takesMs?: number
}

/** Every act that a story can have, in words. */
export const acts = {
  create: { scope: 'create', does: 'A customer orders, and the application creates the order.' },
  'create, answer lost': {
    scope: 'create',
    does: 'The service stores the order, and its answer breaks off.',
  },
  'create, call lost': {
    scope: 'create',
    does: 'The create call is answered 500, and nothing is stored; the next one succeeds.',
  },
  'create, token expired': {
    scope: 'create',
    does: 'Every access token expires just before the create call.',
  },
  pay: {
    scope: 'payer',
    does: 'The payer pays, and the order is COMPLETED at once; also after a failure (a late payment).',
  },
  decline: { scope: 'payer', does: 'The payment is declined: FAILED with 9004.' },
  fail: { scope: 'payer', does: 'The order fails on its way: FAILED with 9006.1.' },
  'refund a part': { scope: 'payer', does: 'Three tenths of the amount are refunded.' },
  'refund all': { scope: 'payer', does: 'The whole amount is refunded.' },
  'refund fails': { scope: 'payer', does: 'A refund of a part fails with 9006.1.' },
  'hold webhooks': { scope: 'order', does: 'From now on the webhooks of the order wait.' },
  'let webhooks go': { scope: 'order', does: 'The webhooks that wait are sent.' },
  'repeat the webhook': { scope: 'order', does: 'The last webhook is sent again.' },
  'repeat the first webhook': { scope: 'order', does: 'The first webhook, of CREATED, is sent again.' },
  'cut the next webhook': {
    scope: 'order',
    does: 'The connection of the next webhook breaks after its body; it is sent again a second later.',
  },
  'forge a signature': {
    scope: 'order',
    does: 'A webhook with a wrong signature says COMPLETED.',
  },
  'forge a status': {
    scope: 'order',
    does: 'A webhook that is rightly signed says what is not true: COMPLETED of an unpaid order, FAILED of a paid one.',
  },
  'lookups are stale': {
    scope: 'order',
    does: 'Until the next act is over, lookups show the order as it was before its last change.',
  },
  'lookups answer 503': {
    scope: 'client',
    does: 'Until the next act is over, every lookup is answered 503.',
  },
  'lookups answer 429': {
    scope: 'client',
    does: 'Until the next act is over, every lookup is answered 429 with Retry-After: 1.',
  },
  'lookups answer HTML': {
    scope: 'client',
    does: 'Until the next act is over, every lookup is answered 200 with the page of a proxy.',
  },
  'submit the cart again': { scope: 'order', does: 'The customer submits the same cart once more.' },
  'the browser returns': { scope: 'order', does: 'The browser opens `callbackUrl` with true data.' },
  'the browser lies': {
    scope: 'order',
    does: 'The browser opens `callbackUrl` with data that is not true, as anyone can.',
  },
  cancel: { scope: 'order', does: 'The customer cancels the order in the application.' },
  reconcile: { scope: 'client', does: 'The application looks up its open orders (`reconcile`).' },
  'tokens expire': { scope: 'client', does: 'Every access token that the service has issued expires.' },
  'a minute passes': { scope: 'client', does: 'The clock moves by a minute.', takesMs: 60_000 },
  'an hour passes': { scope: 'client', does: 'The clock moves by an hour.', takesMs: 3_600_000 },
  'a day passes': { scope: 'client', does: 'The clock moves by a day.', takesMs: 86_400_000 },
  restart: { scope: 'client', does: 'The application is killed without a warning, and started again.' },
} as const satisfies Readonly<Record<string, ActShape>>

/** An act in words, as in story files: `hold webhooks`. */
export type ActName = keyof typeof acts

export const actNames = Object.keys(acts) as readonly ActName[]

const shapes: Readonly<Record<ActName, ActShape>> = acts

export const scopeOf = (act: ActName): ActScope => shapes[act].scope

/** How far an act moves the clock, milliseconds. */
export const takesMs = (act: ActName): number => shapes[act].takesMs ?? 1_000

export const isAct = (words: string): words is ActName => Object.hasOwn(acts, words)
