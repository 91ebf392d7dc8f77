// Written by tools/library-types.ts from the schemas of both APIs.

export type AnyJson =
  | string
  | number
  | boolean
  | null
  | AnyJson[]
  | {
      [k: string]: AnyJson
    }
export interface CheckoutRequest {
  /**
   * What the client was given when it was onboarded.
   */
  currencyId: string
  /**
   * What the payer pays, in text: more than zero, with at most two decimals.
   */
  fiatAmount: string
  /**
   * Names the user where there is no `userId`.
   */
  email: string
  /**
   * Chosen by the client, unique; events and lookups carry it.
   */
  requestId: string
  /**
   * The one that the access token belongs to.
   */
  clientId: string
  /**
   * What the client was given when it was onboarded.
   */
  paymentMethodId?: string | undefined
  /**
   * A UUID, in small letters or capitals.
   */
  userId?: string | undefined
  /**
   * A short name of what is bought.
   */
  userMessage?: string | undefined
  /**
   * At most 50 characters.
   */
  firstName?: string | undefined
  /**
   * At most 50 characters.
   */
  lastName?: string | undefined
  /**
   * E.164.
   */
  phoneNumber?: string | undefined
  /**
   * `returnUrl` asks for the URL of the payment page, `returnAppUrl` for one of an app.
   */
  mode?: 'returnUrl' | 'returnAppUrl' | undefined
  /**
   * Needed with `mode: returnAppUrl`. At most 100 characters.
   */
  targetApp?: string | undefined
  /**
   * What the payer holds in hand.
   */
  deviceContext?: {
    deviceOS?: 'ANDROID' | 'IOS' | undefined
  } | undefined
  pixKey?: string | undefined
  intlBankAccount?: string | undefined
  bankAccount?: string | undefined
  docType?: string | undefined
  docId?: string | undefined
  /**
   * Where the payer is sent afterwards.
   */
  callbackUrl?: string | undefined
  /**
   * Two letters of ISO 639-1, in lower case.
   */
  lang?: string | undefined
  /**
   * What the payment is for. Some currencies need it (setting `currencies.catalog`).
   */
  requestDescription?: string | undefined
  /**
   * Some currencies need it (setting `currencies.catalog`).
   */
  billingData?: {
    address?: string | undefined
    street?: string | undefined
    city?: string | undefined
    state?: string | undefined
    country?: string | undefined
    postalCode?: string | undefined
  } | undefined
  /**
   * Comes back with the crypto lookup, character for character.
   */
  metadata?: {} | undefined
}
export interface SubscriptionRequest {
  /**
   * What the client was given when it was onboarded.
   */
  currencyId: string
  /**
   * What the payer pays, in text: more than zero, with at most two decimals.
   */
  fiatAmount: string
  /**
   * Names the user where there is no `userId`.
   */
  email: string
  /**
   * Chosen by the client, unique; events and lookups carry it.
   */
  requestId: string
  /**
   * The one that the access token belongs to.
   */
  clientId: string
  /**
   * `MONTHLY`, or another of those that the setting `subscription.intervals` lists.
   */
  interval: string
  /**
   * A number of days, as text; at most 365.
   */
  trialPeriodDays?: string | undefined
  /**
   * What the client was given when it was onboarded.
   */
  paymentMethodId?: string | undefined
  /**
   * A UUID, in small letters or capitals.
   */
  userId?: string | undefined
  /**
   * What the payment is for. Some currencies need it (setting `currencies.catalog`).
   */
  requestDescription?: string | undefined
  /**
   * `returnUrl` asks for the URL of the payment page, `returnAppUrl` for one of an app.
   */
  mode?: 'returnUrl' | 'returnAppUrl' | undefined
  /**
   * Needed with `mode: returnAppUrl`. At most 100 characters.
   */
  targetApp?: string | undefined
}
export interface SimulatedWebhook {
  requestId: string
  clientId: string
  orderId: string
  orderStatus: string
  orderType: string
  eventType: string
  errorCode?: string | undefined
}
export interface WebhookUrl {
  webhookUrl: string
}
export interface WebhookEvent {
  requestId: string
  clientId: string
  orderId: string
  /**
   * `CREATED`, `COMPLETED` or `FAILED`; a scenario may bring others, which a client should cope with.
   */
  orderStatus: string
  /**
   * `CHECKOUT`, `PAYOUT`, or what the setting `orders.cryptoPayinType` calls a crypto payin.
   */
  orderType: string
  eventType: string
  /**
   * Only while the status is FAILED.
   */
  errorCode?: string
}
export interface ErrorText {
  error: string
}
export interface CreatedOrder {
  requestId: string
  /**
   * For the client-side SDK.
   */
  token: string
  status: 'CREATED'
  offerInfoData?: OfferInfoData
  /**
   * With `mode`, the URL of the payment page or of the app; under another name if the setting `responses.urlField` gives one.
   */
  url?: string
  [k: string]: unknown
}
export interface OfferInfoData {
  /**
   * The e-mail.
   */
  userAddress: string
  clientId: string
  /**
   * `ALL` where none was sent.
   */
  selectedPaymentMethod: string
  totalFiatAmount: string
  /**
   * ISO 8601 with an offset; the settings `time.offset` and `time.expiryFraction` say how it is written.
   */
  expiryTs: string
  currencyId: string
  type: 'BUY'
}
export interface ErrorWithCode {
  error: {
    code: string
    message: string
  }
}
export interface CryptoOrders {
  data: CryptoOrder[]
}
export interface CryptoOrder {
  orderId: string
  /**
   * `CREATED`, `COMPLETED` or `FAILED`; a scenario may bring others, which a client should cope with.
   */
  orderStatus: string
  /**
   * Epoch milliseconds.
   */
  updatedTs: number
  /**
   * `CHECKOUT`, `PAYOUT`, or what the setting `orders.cryptoPayinType` calls a crypto payin.
   */
  orderType: string
  requestId: string
  clientId: string
  paymentStatus: string
  receivedAmount?: string
  payersEmail: string
  settlementStatus: string
  txnHash?: string
  cryptoCurId: string
  cryptoAmount: string
  /**
   * What was sent when the order was created, character for character.
   */
  metadata?: {
    [k: string]: unknown
  }
  errorReason?: ErrorReason
}
export interface ErrorReason {
  errorCode: string
  errorDesc: string
}
export interface FiatOrders {
  data: FiatOrder[]
}
export interface FiatOrder {
  orderId: string
  /**
   * `CREATED`, `COMPLETED` or `FAILED`; a scenario may bring others, which a client should cope with.
   */
  orderStatus: string
  userAddress: string
  /**
   * Epoch milliseconds.
   */
  updatedTs: number
  partner: string
  /**
   * `CHECKOUT`, `PAYOUT`, or what the setting `orders.cryptoPayinType` calls a crypto payin.
   */
  orderType: string
  requestId: string
  clientId: string
  exchangeCurId: string
  exchangeAmount: string
  paymentMethod: string
  errorReason?: ErrorReason
}
export interface Refunds {
  data: Refund[]
  /**
   * The latest refund that failed. Without any it is left out; the setting `refunds.errorReasonWhenNone` may make it null or `{}`.
   */
  errorReason?: ErrorReason | {} | null
}
export interface Refund {
  requestId: string
  refundId: string
  fiatAmount: string
  /**
   * `REFUND_INITIATED`; a scenario may bring others.
   */
  status: string
}
export interface WebhookSimulated {
  message: 'Webhook simulated'
}
export interface WebhookUrlUpdated {
  message: 'Webhook URL updated'
}
export interface NewClient {
  apiSecret?: string | undefined
  accessToken?: string | undefined
  webhookSecret?: string | undefined
  webhookUrl?: string | null | undefined
  defaultScenario?: string | undefined
  settings?: {
    [k: string]: unknown
  } | undefined
  clientId?: string | undefined
  clock?: {
    mode?: 'real' | 'manual' | undefined
    /**
     * Seconds that pass in a second, from 0.001; 0 on a manual clock.
     */
    speed?: number | undefined
    now?: number | string | undefined
  } | undefined
}
export interface ClientPatch {
  apiSecret?: string | undefined
  accessToken?: string | undefined
  webhookSecret?: string | undefined
  webhookUrl?: string | null | undefined
  defaultScenario?: string | undefined
  settings?: {
    [k: string]: unknown
  } | undefined
}
export interface ClockPace {
  mode?: 'real' | 'manual' | undefined
  /**
   * Seconds that pass in a second, from 0.001; 0 on a manual clock.
   */
  speed?: number | undefined
  now?: number | string | undefined
}
export interface NewOrder {
  clientId?: string | undefined
  kind?: 'checkout' | 'subscription' | 'payout' | 'crypto-payin' | undefined
  requestId?: string | undefined
  fiatAmount?: string | undefined
  currencyId?: string | undefined
  email?: string | undefined
  scenario?: string | undefined
  metadata?: {
    [k: string]: AnyJson
  } | undefined
  paymentMethodId?: string | undefined
  userId?: string | undefined
  userMessage?: string | undefined
  requestDescription?: string | undefined
  callbackUrl?: string | undefined
  mode?: 'returnUrl' | 'returnAppUrl' | undefined
  targetApp?: string | undefined
  lang?: string | undefined
  interval?: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'YEARLY' | undefined
  trialPeriodDays?: string | undefined
}
export interface Payment {
  outcome: 'completed' | 'failed' | 'abandoned'
  errorCode?: string | undefined
}
export interface RefundRequest {
  fiatAmount: string
  outcome?: 'initiated' | 'failed' | undefined
  errorCode?: string | undefined
}
export interface HandMadeDelivery {
  clientId?: string | undefined
  event?: {
    requestId: string
    clientId?: string | undefined
    orderId?: string | undefined
    orderStatus?: string | undefined
    orderType?: string | undefined
    eventType?: string | undefined
    errorCode?: string | undefined
  } | undefined
  body?: AnyJson | undefined
  /**
   * Headers to add or change; null takes one away: `{ content-type: text/plain, user-agent: null }`.
   */
  headers?: {
    [k: string]: string | null
  } | undefined
  /**
   * false: without a signature. wrong: signed with another key. old: validly signed, ten minutes ago.
   */
  sign?: boolean | ('wrong' | 'old') | undefined
  /**
   * Shifts the time that is validly signed: -10m is old, 10m lies in the future.
   */
  timestamp?: string | undefined
  /**
   * One byte of the body is changed after signing.
   */
  tamper?: boolean | undefined
  /**
   * Only so many bytes of the body are sent, under the signature of all of it.
   */
  truncate?: number | undefined
  /**
   * The connection is cut after so many bytes of the body, or at its `end`, before any answer.
   */
  cut?: number | 'end' | undefined
  copies?: number | undefined
  together?: boolean | undefined
}
export interface HoldRequest {
  where?: {
    id?: string | undefined
    requestId?: string | undefined
    orderId?: string | undefined
    orderStatus?: string | undefined
    orderType?: string | undefined
    eventType?: string | undefined
  } | undefined
}
export interface ReleaseRequest {
  where?: {
    id?: string | undefined
    requestId?: string | undefined
    orderId?: string | undefined
    orderStatus?: string | undefined
    orderType?: string | undefined
    eventType?: string | undefined
  } | undefined
}
export interface VerifyRequest {
  where?: Where | undefined
  clientId?: string | undefined
  /**
   * Exactly so many.
   */
  count?: number | undefined
  /**
   * 1, if no number is given at all.
   */
  atLeast?: number | undefined
  atMost?: number | undefined
}
/**
 * Equality on the members of a thing as its GET shows it. A text may end in `*` and then fits whatever begins like it; it also fits a number that is written like it. null fits what is not there. A dotted name goes into objects, lists and JSON texts. Without members it fits everything.
 */
export interface Where {
  [k: string]: string | number | boolean | null
}
export interface FaultRequest {
  /**
   * Whose calls or deliveries; those of all clients if left out or null.
   */
  clientId?: string | null | undefined
  /**
   * An operation, a list of them, or `delivery`; create-order means both creates.
   */
  on:
    | (
        | 'create-checkout-order'
        | 'create-subscription-order'
        | 'create-order'
        | 'crypto-orders'
        | 'orders'
        | 'fiat-refunds'
        | 'simulate-webhook'
        | 'webhook-url'
        | 'access-token'
        | 'delivery'
      )
    | (
        | 'create-checkout-order'
        | 'create-subscription-order'
        | 'create-order'
        | 'crypto-orders'
        | 'orders'
        | 'fiat-refunds'
        | 'simulate-webhook'
        | 'webhook-url'
        | 'access-token'
      )[]
  /**
   * Which of them: members that must be equal; a text may end in `*`. Calls have requestId, and orderId and kind of the orders they are about; deliveries all but kind.
   */
  where?: {
    requestId?: string | undefined
    orderId?: string | undefined
    kind?: string | undefined
    orderStatus?: string | undefined
    orderType?: string | undefined
    eventType?: string | undefined
    id?: string | undefined
  } | undefined
  /**
   * unchecked: before any check. before (if left out): after the checks, with nothing done. stored: when all is done. Not for deliveries.
   */
  when?: 'unchecked' | 'before' | 'stored' | undefined
  /**
   * What is done, in the words of scenario files.
   */
  effect: EffectOnACall | EffectOnADelivery
  /**
   * How often it is done: once if nothing is said of an end; null for all until `for` or `until`.
   */
  times?: number | null | undefined
  /**
   * Only the n-th that it fits, from 1.
   */
  nth?: number | undefined
  /**
   * So many that it fits are let pass first.
   */
  skip?: number | undefined
  /**
   * How long it holds from now on, on the client’s clock: `2m`.
   */
  for?: string | undefined
  /**
   * From this moment of the client’s clock on it is over: ISO 8601 or milliseconds.
   */
  until?: number | string | undefined
  /**
   * How likely it is done to one that it fits; the seed draws, so that a run can be repeated.
   */
  probability?: number | undefined
}
export interface EffectOnACall {
  /**
   * The status that is answered: 500, 503, 429, ...
   */
  status?: number
  /**
   * The body that is sent: an object is sent as JSON, a text as it is. If left out, an error as the service words it.
   */
  body?:
    | string
    | {
        [k: string]: unknown
      }
    | unknown[]
  /**
   * Headers that are added to the answer, or take the place of its own.
   */
  headers?: {
    [k: string]: string | number
  }
  /**
   * The header Retry-After, in seconds; goes with `status`.
   */
  retryAfter?: number
  /**
   * How long the answer is held, on the client’s clock: an advance releases it.
   */
  delay?: string
  /**
   * Nothing is answered: the connection stays open so long, on the client’s clock, and is then closed. With `forever` it stays open until the caller gives up.
   */
  hang?: string
  /**
   * The connection is reset (TCP RST), unanswered.
   */
  reset?: true
  /**
   * The answer announces its whole length, and breaks off after half its body.
   */
  cut?: true
}
export interface EffectOnADelivery {
  /**
   * The webhook is never sent, now or later: it ends as `dead`.
   */
  drop?: true
  /**
   * The attempt is made so much later; later webhooks do not wait for it.
   */
  delay?: string
  /**
   * Once accepted, it is sent so many times more, with the same `webhook-id`.
   */
  duplicate?: number
  /**
   * With `duplicate`: from one to the next.
   */
  apart?: string
  /**
   * Headers to add or change; null takes one away: `{ content-type: text/plain, user-agent: null }`.
   */
  headers?: {
    [k: string]: string | null
  }
  /**
   * false: without a signature. wrong: signed with another key. old: validly signed, ten minutes ago.
   */
  sign?: boolean | ('wrong' | 'old')
  /**
   * Shifts the time that is validly signed: -10m is old, 10m lies in the future.
   */
  timestamp?: string
  /**
   * One byte of the body is changed after signing.
   */
  tamper?: boolean
  /**
   * Only so many bytes of the body are sent, under the signature of all of it.
   */
  truncate?: number
  /**
   * The connection is cut after so many bytes of the body, or at its `end`, before any answer.
   */
  cut?: number | 'end'
  /**
   * The status that counts, whatever the receiver answers.
   */
  countAs?: number
}
export interface NextScenario {
  scenario: string
  clientId?: string | undefined
  requestId?: string | undefined
  count?: number | undefined
}
export interface ResetRequest {
  keep?: ('clients' | 'scenarios')[] | undefined
}
export interface Snapshot {
  format: 'payment-order-emulator/snapshot'
  /**
   * Of the emulator that took it.
   */
  version: string
  /**
   * Of its tables. Those of earlier versions are brought up to date.
   */
  schema: number
  /**
   * When it was taken.
   */
  wallAt: number
  /**
   * Whose world it is; null if it is everything there was.
   */
  clientId: string | null
  tables: {
    [k: string]: {
      columns: string[]
      rows: unknown[][]
    }
  }
}
export interface Credentials {
  clientId: string
  apiSecret: string
}
export interface Health {
  status: 'ok'
  version: string
  uptimeMs: number
}
export interface About {
  version: string
  /**
   * The version of Node.
   */
  runtime: string
  /**
   * Ids follow from it.
   */
  seed: string
  /**
   * Its file, or `:memory:`.
   */
  database: string
  /**
   * Wall time since the start.
   */
  uptimeMs: number
  /**
   * What the process has of the machine’s memory.
   */
  memoryBytes: number
  /**
   * How much there is at this moment.
   */
  holds: {
    clients: number
    orders: number
    pendingDeliveries: number
    heldDeliveries: number
    /**
     * Entries of the journal; null where one client is asked for.
     */
    keptRequests: number | null
    /**
     * Entries that gave way to newer ones, since the database began; null where one client is asked for.
     */
    prunedRequests: number | null
  }
  /**
   * What has happened since the start of the process.
   */
  sinceStart: {
    orders: number
    requests: number
    /**
     * Requests that were refused.
     */
    refusals: number
    /**
     * Of webhooks.
     */
    attempts: number
    delivered: number
    dead: number
    skipped: number
  }
}
/**
 * An onboarded application: its credentials, its webhook URL, and the world it lives in.
 */
export interface Client {
  clientId: string
  apiSecret: string
  /**
   * Never expires by itself.
   */
  accessToken: string
  /**
   * `whsec_` and base64, as Standard Webhooks writes secrets.
   */
  webhookSecret: string
  webhookUrl: string | null
  /**
   * Its endpoint answered 410: nothing is sent until the URL is set again.
   */
  webhookPaused?: true
  /**
   * Which of its deliveries are kept back; left out when none are.
   */
  holds?: Where[]
  defaultScenario: string
  clock: Clock
  /**
   * Its own settings by dotted name, laid over the common ones.
   */
  settings: {
    [k: string]: unknown
  }
}
export interface Clock {
  mode: 'real' | 'manual'
  /**
   * Epoch milliseconds on the client’s clock.
   */
  now: number
  /**
   * Seconds that pass in a second; 0 on a manual clock.
   */
  speed: number
}
/**
 * The clock that new clients get, and the clock of each client.
 */
export interface Clocks {
  mode: 'real' | 'manual'
  /**
   * Epoch milliseconds on the client’s clock.
   */
  now: number
  /**
   * Seconds that pass in a second; 0 on a manual clock.
   */
  speed: number
  clients: {
    mode: 'real' | 'manual'
    /**
     * Epoch milliseconds on the client’s clock.
     */
    now: number
    /**
     * Seconds that pass in a second; 0 on a manual clock.
     */
    speed: number
    clientId: string
  }[]
}
/**
 * What happened while clocks walked, sorted by time, requestId and order of commit.
 */
export interface Ledger {
  /**
   * Left out where several clients have walked.
   */
  from?: number
  /**
   * Left out where several clients have walked.
   */
  now?: number
  /**
   * The times of each; only without `?clientId=`.
   */
  clients?: {
    clientId: string
    /**
     * Epoch milliseconds on the client’s clock.
     */
    from: number
    /**
     * Epoch milliseconds on the client’s clock.
     */
    now: number
    /**
     * Epoch milliseconds on the client’s clock; null when nothing is due by itself.
     */
    nextDueAt: number | null
  }[]
  transitions: {
    /**
     * Epoch milliseconds on the client’s clock.
     */
    at: number
    orderId: string
    requestId: string
    clientId: string
    /**
     * `order`, `payment` or `settlement`.
     */
    what: string
    from: string
    to: string
  }[]
  deliveries: {
    /**
     * Epoch milliseconds on the client’s clock.
     */
    at: number
    deliveryId: string
    requestId: string
    orderStatus: string
    attempt: number
    outcome: 'accepted' | 'refused' | 'timeout' | 'connection' | 'unknown'
    status: number | null
  }[]
  /**
   * How many lines each list lacks at its end, where one would have more than 50,000.
   */
  truncated?: {
    transitions: number
    deliveries: number
  }
  /**
   * Epoch milliseconds on the client’s clock; null when nothing is due by itself.
   */
  nextDueAt: number | null
}
/**
 * The ledger as far as it got, and why it got no further.
 */
export interface EndedLedger {
  error: {
    /**
     * A stable word.
     */
    code: string
    /**
     * What is wrong, where, and what to do.
     */
    message: string
  }
  /**
   * Left out where several clients have walked.
   */
  from?: number
  /**
   * Left out where several clients have walked.
   */
  now?: number
  /**
   * The times of each; only without `?clientId=`.
   */
  clients?: {
    clientId: string
    /**
     * Epoch milliseconds on the client’s clock.
     */
    from: number
    /**
     * Epoch milliseconds on the client’s clock.
     */
    now: number
    /**
     * Epoch milliseconds on the client’s clock; null when nothing is due by itself.
     */
    nextDueAt: number | null
  }[]
  transitions: {
    /**
     * Epoch milliseconds on the client’s clock.
     */
    at: number
    orderId: string
    requestId: string
    clientId: string
    /**
     * `order`, `payment` or `settlement`.
     */
    what: string
    from: string
    to: string
  }[]
  deliveries: {
    /**
     * Epoch milliseconds on the client’s clock.
     */
    at: number
    deliveryId: string
    requestId: string
    orderStatus: string
    attempt: number
    outcome: 'accepted' | 'refused' | 'timeout' | 'connection' | 'unknown'
    status: number | null
  }[]
  /**
   * How many lines each list lacks at its end, where one would have more than 50,000.
   */
  truncated?: {
    transitions: number
    deliveries: number
  }
  /**
   * Epoch milliseconds on the client’s clock; null when nothing is due by itself.
   */
  nextDueAt: number | null
}
export interface DueClock {
  mode: 'real' | 'manual'
  /**
   * Epoch milliseconds on the client’s clock.
   */
  now: number
  /**
   * Seconds that pass in a second; 0 on a manual clock.
   */
  speed: number
  clientId: string
  /**
   * null when nothing is due by itself.
   */
  next: {
    /**
     * Epoch milliseconds on the client’s clock.
     */
    dueAt: number
    /**
     * Of an order, of a webhook, or an answer that is held back.
     */
    what: 'step' | 'delivery' | 'answer'
    /**
     * What it is: `order COMPLETED`, `webhook CREATED, attempt 2`.
     */
    words: string
    orderId: string | null
    requestId: string | null
    deliveryId: string | null
  } | null
}
/**
 * A checkout, a charge of a subscription, a payout or a crypto payin.
 */
export interface Order {
  orderId: string
  requestId: string
  clientId: string
  kind: 'checkout' | 'subscription' | 'payout' | 'crypto-payin'
  /**
   * What the client-side SDK gets; also the key to the payment page.
   */
  token: string
  fiatAmount: string
  currencyId: string
  email: string
  orderStatus: string
  paymentStatus: string
  settlementStatus: string
  errorReason: {
    errorCode: string
    errorDesc: string
  } | null
  receivedAmount: string | null
  txnHash: string | null
  /**
   * As it came in; `{}` if none was sent.
   */
  metadata: {
    [k: string]: unknown
  }
  refunds: {
    refundId: string
    fiatAmount: string
    /**
     * `REFUND_INITIATED`, or whatever word a scenario writes (R82).
     */
    status: string
    /**
     * Epoch milliseconds on the client’s clock.
     */
    at: number
  }[]
  /**
   * The latest refund that failed.
   */
  refundError?: {
    errorCode: string
    errorDesc: string
    /**
     * Epoch milliseconds on the client’s clock.
     */
    at: number
  }
  /**
   * Where a subscription stands; kept by the order of its first charge.
   */
  subscription?: {
    /**
     * Epoch milliseconds on the client’s clock; the date of the first charge, null until the payer has authorised it.
     */
    anchor: number | null
    /**
     * Epoch milliseconds on the client’s clock; the date of the second charge.
     */
    second: number | null
    /**
     * The number of the charge that comes next.
     */
    next: number
    /**
     * Epoch milliseconds on the client’s clock; null when none comes.
     */
    nextAt: number | null
    cancelled: boolean
  }
  /**
   * Which order of its requestId it is: 1, and up for later charges.
   */
  charge: number
  scenario: {
    id: string
    /**
     * What chose it: `default`, `next`, an e-mail tag, ...
     */
    why: string
  }
  waitsForPayer: boolean
  /**
   * Epoch milliseconds on the client’s clock.
   */
  createdAt: number
  /**
   * Epoch milliseconds on the client’s clock.
   */
  updatedAt: number
  /**
   * Epoch milliseconds on the client’s clock.
   */
  expiresAt: number
  /**
   * Epoch milliseconds on the client’s clock; null when nothing more happens by itself.
   */
  nextDueAt: number | null
  timeline: {
    /**
     * Epoch milliseconds on the client’s clock; null where nobody knows yet when the payer or a lookup comes.
     */
    dueAt: number | null
    what: string
    /**
     * Epoch milliseconds on the client’s clock; null while it is still to come.
     */
    doneAt: number | null
  }[]
  history: {
    /**
     * Epoch milliseconds on the client’s clock.
     */
    at: number
    what: string
    from?: string
    to?: string
    /**
     * Index of the scenario’s step that did it.
     */
    step?: number
  }[]
  /**
   * Ids of its deliveries.
   */
  deliveries: string[]
}
export interface User {
  clientId: string
  /**
   * What tells users apart: the `userId`, or the e-mail where none was sent (R29).
   */
  userKey: string
  email: string
  userId?: string
  /**
   * How many orders were made for them.
   */
  orders: number
}
/**
 * One event on its way to one URL, with every POST of it.
 */
export interface Delivery {
  id: string
  /**
   * The same on every attempt.
   */
  webhookId: string
  clientId: string
  requestId: string
  orderId: string
  eventType: string
  orderStatus: string
  orderType: string
  status: 'pending' | 'delivered' | 'dead' | 'skipped' | 'held'
  /**
   * Where the latest attempt went; null before the first.
   */
  url: string | null
  /**
   * Epoch milliseconds on the client’s clock.
   */
  createdAt: number
  /**
   * Epoch milliseconds on the client’s clock; null while it waits for the answer to its create call.
   */
  dueAt: number | null
  plan: {
    settings?: {
      [k: string]: unknown
    }
    faults?: {
      headers?: {
        [k: string]: string | null
      }
      sign?: 'right' | 'wrong' | 'none'
      timestampMs?: number
      tamper?: boolean
      truncate?: number
      cut?: number | 'end'
      countAs?: number
      drop?: boolean
      duplicate?: number
      apartMs?: number
      /**
       * How many attempts it is about; all if left out.
       */
      times?: number
      /**
       * The only attempt that it is about.
       */
      attempt?: number
      /**
       * The id of the planned fault that it came from.
       */
      fault?: string
    }[]
    attempts?: number
    delayed?: true
    delayMs?: number
  } | null
  /**
   * The body as JSON, or as text if it is none.
   */
  body: {
    [k: string]: unknown
  }
  /**
   * The body as it is sent, byte for byte.
   */
  bodyText: string
  attempts: {
    /**
     * From 1.
     */
    n: number
    /**
     * Epoch milliseconds on the client’s clock.
     */
    at: number
    /**
     * Epoch milliseconds of wall time.
     */
    wallAt: number
    url: string
    /**
     * `unknown` until its end is known, also when a crash has cut it off.
     */
    outcome: 'accepted' | 'refused' | 'timeout' | 'connection' | 'unknown'
    /**
     * What the receiver answered, if it did.
     */
    status: number | null
    /**
     * Wall milliseconds from its start to its end.
     */
    ms: number | null
    requestHeaders: {
      [k: string]: string
    }
    responseBody: string | null
    error: string | null
    /**
     * What it sent of the body, where a fault made something else of it.
     */
    bodyText?: string
  }[]
}
/**
 * A thing that is not quite as it was wanted.
 */
export interface NearMiss {
  /**
   * Of an order its orderId.
   */
  id: string
  clientId: string | null
  requestId: string | null
  /**
   * Of requests only.
   */
  operation?: string | null
  differs: {
    member: string
    wanted: string | number | boolean | null
    /**
     * null if there is none; long ones are cut.
     */
    found: {
      [k: string]: unknown
    }
  }[]
}
/**
 * A request to the service and its answer.
 */
export interface JournalEntry {
  id: string
  /**
   * Epoch milliseconds of wall time.
   */
  wallAt: number
  /**
   * On the client’s clock; the wall’s time where no client is known.
   */
  at: number
  clientId: string | null
  operation:
    | (
        | 'create-checkout-order'
        | 'create-subscription-order'
        | 'crypto-orders'
        | 'orders'
        | 'fiat-refunds'
        | 'simulate-webhook'
        | 'webhook-url'
        | 'access-token'
      )
    | null
  requestId: string | null
  method: string
  /**
   * With the query.
   */
  path: string
  /**
   * Secrets are cut to their beginning.
   */
  headers: {
    [k: string]: string
  }
  body: string
  /**
   * 0 if nothing was answered.
   */
  status: number
  response: string
  /**
   * How long it took: it was answered at `wallAt`.
   */
  ms: number
  notes: string[]
  diagnosis: Diagnosis | null
}
/**
 * Why a request was refused.
 */
export interface Diagnosis {
  /**
   * A stable word, like `signature.amount-spelling`; docs/diagnosis.md explains them.
   */
  cause:
    | 'signature.amount-spelling'
    | 'signature.checkout-form'
    | 'signature.subscription-form'
    | 'signature.trial-days'
    | 'signature.percent-encoded'
    | 'signature.percent-decoded'
    | 'signature.form-encoded'
    | 'signature.unicode-form'
    | 'signature.json-escaped'
    | 'signature.value-quoted'
    | 'signature.value-trimmed'
    | 'signature.value-case'
    | 'signature.value-altered'
    | 'signature.value-missing'
    | 'signature.line-end'
    | 'signature.separators'
    | 'signature.values-only'
    | 'signature.member-names'
    | 'signature.member-order'
    | 'signature.member-missing'
    | 'signature.all-members'
    | 'signature.json-body'
    | 'signature.empty-string'
    | 'signature.bytes'
    | 'signature.encoded-first'
    | 'signature.key-altered'
    | 'signature.key-other-client'
    | 'signature.key-access-token'
    | 'signature.key-webhook-secret'
    | 'signature.key-client-id'
    | 'signature.key-empty'
    | 'signature.algorithm'
    | 'signature.no-hmac'
    | 'signature.hex'
    | 'signature.base64-of-hex'
    | 'signature.base64-twice'
    | 'signature.base64url'
    | 'signature.padding'
    | 'signature.spaces'
    | 'signature.percent-encoded-header'
    | 'signature.wrapped'
    | 'signature.cut'
    | 'signature.letter-case'
    | 'signature.twice'
    | 'signature.unsigned'
    | 'signature.credential'
    | 'signature.placeholder'
    | 'signature.no-digest'
    | 'signature.header-name'
    | 'signature.in-body'
    | 'signature.in-query'
    | 'signature.empty'
    | 'signature.missing'
    | 'signature.wrong'
    | 'token.missing'
    | 'token.empty'
    | 'token.authorization-header'
    | 'token.header-name'
    | 'token.in-query'
    | 'token.in-body'
    | 'token.prefix'
    | 'token.wrapped'
    | 'token.twice'
    | 'token.letter-case'
    | 'token.credential'
    | 'token.placeholder'
    | 'token.expired'
    | 'token.refused'
    | 'token.lost'
    | 'token.unknown'
    | 'clientId.missing'
    | 'clientId.not-the-tokens'
    | 'client.deleted'
    | 'credentials.wrong'
    | 'query.name'
    | 'query.missing'
    | 'query.empty'
    | 'query.twice'
    | 'query.in-body'
    | 'query.not-utf-8'
    | 'query.percent'
    | 'query.separator'
    | 'body.content-type'
    | 'body.too-large'
    | 'body.cut'
    | 'body.empty'
    | 'body.byte-order-mark'
    | 'body.form-encoded'
    | 'body.multipart'
    | 'body.compressed'
    | 'body.utf-16'
    | 'body.not-utf-8'
    | 'body.json-in-string'
    | 'body.base64'
    | 'body.not-an-object'
    | 'body.xml'
    | 'body.trailing-comma'
    | 'body.quotes'
    | 'body.literals'
    | 'body.comments'
    | 'body.line-end-in-text'
    | 'body.incomplete'
    | 'body.trailing-text'
    | 'body.placeholder'
    | 'body.too-deep'
    | 'body.too-many-values'
    | 'body.duplicate-member'
    | 'body.syntax'
    | 'input.member-name'
    | 'input.missing'
    | 'input.type'
    | 'input.invalid'
    | 'requestId.taken'
    | 'webhook-url.missing'
    | 'path.trailing-slash'
    | 'path.doubled-slash'
    | 'path.version'
    | 'path.letter-case'
    | 'path.prefix'
    | 'path.encoded'
    | 'path.not-served'
    | 'path.parameter'
    | 'path.unknown'
    | 'method.preflight'
    | 'method.wrong'
    | 'http.headers-too-large'
    | 'http.chunk-extensions-too-large'
    | 'http.too-slow'
    | 'http.tls'
    | 'http.http2'
    | 'http.version'
    | 'http.host'
    | 'http.target'
    | 'http.body-length'
    | 'http.transfer-coding'
    | 'http.header'
    | 'http.incomplete'
    | 'http.expect'
    | 'http.connect'
    | 'http.unreadable'
    | 'emulator.disk-full'
    | 'emulator.stopping'
    | 'emulator.error'
    | 'internal'
  /**
   * What was wrong and what to do, in one line.
   */
  message: string
  /**
   * For signatures: what had to be signed.
   */
  stringToSign?: string
  /**
   * For signatures: what was signed instead, where that could be found out.
   */
  signedString?: string
  /**
   * Index of the first character in which the two differ.
   */
  firstDifference?: number
}
export interface Fault {
  id: string
  /**
   * Whose; null for all clients.
   */
  clientId: string | null
  on:
    | (
        | 'create-checkout-order'
        | 'create-subscription-order'
        | 'create-order'
        | 'crypto-orders'
        | 'orders'
        | 'fiat-refunds'
        | 'simulate-webhook'
        | 'webhook-url'
        | 'access-token'
        | 'delivery'
      )
    | (
        | 'create-checkout-order'
        | 'create-subscription-order'
        | 'create-order'
        | 'crypto-orders'
        | 'orders'
        | 'fiat-refunds'
        | 'simulate-webhook'
        | 'webhook-url'
        | 'access-token'
        | 'delivery'
      )[]
  where: {
    [k: string]: string
  }
  /**
   * null for deliveries.
   */
  when: ('unchecked' | 'before' | 'stored') | null
  /**
   * As it was asked for.
   */
  effect: {
    [k: string]: AnyJson
  }
  /**
   * So many that it fits are let pass first.
   */
  skip: number
  /**
   * How often it is done; null for all until it ends.
   */
  times: number | null
  /**
   * As it was asked for.
   */
  for: string | null
  /**
   * From this moment of its client’s clock on it is over. Of all clients: null with `for`, because each has a clock of its own.
   */
  until: number | null
  probability: number | null
  /**
   * How many calls, or attempts of deliveries, it has fitted so far.
   */
  calls: number
  /**
   * How many of them it was done to.
   */
  hits: number
  /**
   * It is used up, or its time has passed.
   */
  over: boolean
}
export interface ScenarioSummary {
  id: string
  description: string
  /**
   * What it tests in the code of whoever uses it.
   */
  tests: string
  /**
   * The kinds of order it serves; null for all.
   */
  for: ('checkout' | 'subscription' | 'payout' | 'crypto-payin')[] | null
  /**
   * A hash of its content.
   */
  version: string
  from: 'built-in' | 'file' | 'put'
}
export interface Binding {
  id: string
  scenario: string
  clientId: string | null
  requestId: string | null
  /**
   * How many more orders it holds for.
   */
  remaining: number
}
export interface ScenarioProblem {
  /**
   * Of the scenario that the file is meant to hold.
   */
  id: string
  file: string
  /**
   * From 1, as the column.
   */
  line: number
  column: number
  message: string
  /**
   * Whether an earlier version, or another scenario of this id, is in use.
   */
  used: boolean
}
export interface Scenario {
  id: string
  description: string
  /**
   * What it tests in the code of whoever uses it.
   */
  tests: string
  /**
   * The kinds of order it serves; null for all.
   */
  for: ('checkout' | 'subscription' | 'payout' | 'crypto-payin')[] | null
  /**
   * A hash of its content.
   */
  version: string
  from: 'built-in' | 'file' | 'put'
  /**
   * null for what came over the control API.
   */
  file: string | null
  /**
   * As it was written.
   */
  text: string
  /**
   * What is wrong with its file as it is now.
   */
  problems: string[]
}
export interface Explanation {
  id: string
  description: string
  tests: string
  /**
   * The kinds of order it serves; null for all.
   */
  for: ('checkout' | 'subscription' | 'payout' | 'crypto-payin')[] | null
  order: {
    kind: 'checkout' | 'subscription' | 'payout' | 'crypto-payin'
    fiatAmount: string
    currencyId: string
    /**
     * Epoch milliseconds on the client’s clock.
     */
    createdAt: number
    /**
     * Epoch milliseconds on the client’s clock.
     */
    expiresAt: number
    seed: string
  }
  rows: (
    | {
        type: 'change'
        /**
         * Epoch milliseconds on the client’s clock.
         */
        at: number
        /**
         * Since the creation of the first order.
         */
        afterMs: number
        orderId: string
        charge: number
        /**
         * What is assumed to bring it about; null if nothing is.
         */
        assumed: string | null
        changes: {
          what: string
          from?: string
          to?: string
        }[]
        errorCode: string | null
      }
    | {
        type: 'webhook'
        /**
         * Epoch milliseconds on the client’s clock.
         */
        at: number
        /**
         * Since the creation of the first order.
         */
        afterMs: number
        orderId: string
        charge: number
        /**
         * False where no webhook URL was registered.
         */
        sent: boolean
        orderStatus: string
        orderType: string
        late: boolean
        /**
         * What is wrong with its attempts; empty for nothing.
         */
        wrong: string
        body: string
      }
  )[]
  webhookRules: string[]
  answerRules: string[]
  /**
   * The parts of its random mix that this order gets.
   */
  drawn: string[]
  /**
   * Why the timetable ends though more would come.
   */
  cut: string | null
}
export interface LoadedFixture {
  clients: {
    clientId: string
    apiSecret: string
    /**
     * Never expires by itself.
     */
    accessToken: string
    /**
     * `whsec_` and base64, as Standard Webhooks writes secrets.
     */
    webhookSecret: string
    webhookUrl: string | null
    /**
     * Its endpoint answered 410: nothing is sent until the URL is set again.
     */
    webhookPaused?: true
    /**
     * Which of its deliveries are kept back; left out when none are.
     */
    holds?: Where[]
    defaultScenario: string
    clock: Clock
    /**
     * Its own settings by dotted name, laid over the common ones.
     */
    settings: {
      [k: string]: unknown
    }
    orders: number
    deliveries: number
  }[]
  /**
   * Clients that were there and gave way.
   */
  replaced: string[]
}
export interface ShippedFixture {
  name: string
  description: string | null
  clients: {
    clientId: string
    /**
     * How many the file has; charges are made of them beside.
     */
    orders: number
  }[]
}
export interface WholeFixture {
  name: string
  description: string | null
  clients: {
    clientId: string
    /**
     * How many the file has; charges are made of them beside.
     */
    orders: number
  }[]
  /**
   * YAML.
   */
  text: string
}
export interface Choice {
  /**
   * The number under which code, tests and documents cite it.
   */
  n: string
  open: string
  choice: string
  reason: string
  settings: {
    name: string
    default: unknown
    /**
     * What it is now.
     */
    value: {
      [k: string]: unknown
    }
    /**
     * The values it takes, in words.
     */
    allowed: string
    /**
     * The values of a closed set; null where others are taken too.
     */
    values: (string | boolean)[] | null
    scope: 'common' | 'client' | 'order'
  }[]
}
export interface Settings {
  /**
   * What was set here at run time, and what PATCH changes: for all clients, or for the one.
   */
  settings: {
    [k: string]: unknown
  }
  /**
   * Every setting with the value that holds.
   */
  effective: {
    [k: string]: unknown
  }
  /**
   * Where the value that holds was set: at the start (`--settings`), for all clients, or for the one. A setting that is not here has its default.
   */
  from: {
    [k: string]: 'start' | 'common' | 'client'
  }
}
export interface Status {
  version: string
  uptimeMs: number
  seed: string
  /**
   * Planned faults of all clients that are not over.
   */
  faults: number
  clients: ClientStatus[]
}
export interface ClientStatus {
  clientId: string
  clock: Clock
  webhookUrl: string | null
  /**
   * How many there are, by `orderStatus`.
   */
  orders: {
    [k: string]: number
  }
  /**
   * How many there are, by `status`.
   */
  deliveries: {
    [k: string]: number
  }
  /**
   * When its next thing is due; null if nothing is.
   */
  nextDueAt: number | null
  /**
   * Planned faults that are not over.
   */
  faults: number
}
export interface IssuedToken {
  accessToken: string
  /**
   * Seconds.
   */
  expiresIn: number
}
/** A scenario: one that ships, or one of your own. */
export type ScenarioId = 'big-metadata-unicode' | 'chaos' | 'clock-skew' | 'create-500-no-order' | 'create-500-order-exists' | 'create-connection-reset' | 'create-timeout-then-7001' | 'crypto-leg-late' | 'crypto-payin' | 'expired-abandoned' | 'expired-failed' | 'fail-9004' | 'fail-9005' | 'fail-dotted-code' | 'fail-unknown-code' | 'happy' | 'happy-instant' | 'happy-slow' | 'lookup-flaky' | 'never-pays' | 'overnight' | 'overpaid' | 'paid-then-failed' | 'payer-decides' | 'payout-failed' | 'payout-ok' | 'rate-limited' | 'refund-empty-reason' | 'refund-failed' | 'refund-initiated' | 'refund-partial-twice' | 'sub-cancelled' | 'sub-month-end' | 'sub-month3-fails' | 'sub-trial-monthly' | 'token-expires-midflow' | 'token-revoked-loop' | 'two-leg-events' | 'underpaid-failed' | 'underpaid-ok' | 'unknown-status' | 'url-changed-midflow' | 'webhook-before-response' | 'webhook-duplicate' | 'webhook-endpoint-down' | 'webhook-forged' | 'webhook-late' | 'webhook-never' | 'webhook-out-of-order' | (string & {})
/** A setting; docs/choices.md explains them. */
export type SettingName = 'auth.tokenLifetime' | 'auth.tokenRoute' | 'checkout.targetApps' | 'currencies.catalog' | 'currencies.unknown' | 'errors.catalog' | 'errors.validationStatus' | 'orders.autopay' | 'orders.cryptoLeg' | 'orders.cryptoPayinType' | 'orders.expiry' | 'orders.onExpiry' | 'orders.orderIdEqualsToken' | 'paths.subscription' | 'paths.webhookUrl' | 'publicBaseUrl' | 'refunds.errorReasonWhenNone' | 'requestIds.scope' | 'responses.subscription' | 'responses.urlField' | 'scenarios.amounts' | 'signature.checkout' | 'subscription.intervals' | 'time.expiryFraction' | 'time.offset' | 'validation.nullOptional' | 'webhook.accept' | 'webhook.auth' | 'webhook.format' | 'webhook.jwtAlgorithm' | 'webhook.legs' | 'webhook.on' | 'webhook.refunds' | 'webhook.retry.base' | 'webhook.retry.cap' | 'webhook.retry.max' | 'webhook.signTime' | 'webhook.template' | 'webhook.timeout'
/** What kind of order there may be. */
export type OrderKind = 'checkout' | 'crypto-payin' | 'payout' | 'subscription'
