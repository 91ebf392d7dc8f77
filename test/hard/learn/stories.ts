import type { Order } from './application.ts'
import type { Stage } from './ordinary-traffic.ts'
import type { Plan } from './receiver.ts'

/** A create request with the fields that are always needed, in one of two currencies. */
export function newOrder({ chance, requestId, email }: Stage, fields: object = {}): Order {
  const amounts = ['10.00', '25.50', '7.5', '120', '49.99', '3.33', '18.70', '64.05'] as const
  return {
    ...{ requestId: requestId(), email: email(), fiatAmount: chance.pick(amounts) },
    currencyId: chance.pick(['usd_us', 'eur_de'] as const),
    ...fields,
  }
}

/** Binds an order to what will become of it, which its application does not know. */
export async function following(stage: Stage, scenario: string, fields: object = {}): Promise<Order> {
  const order = newOrder(stage, fields)
  await stage.app.client.scenarios.next(scenario, { requestId: order.requestId })
  return order
}

/** Orders that are paid, of all shapes, looked up before and after. */
export async function payments(stage: Stage): Promise<void> {
  const { app, pay, advance, receiver } = stage
  const shapes = [
    {},
    { fiatAmount: '12', paymentMethodId: 'pm_card' },
    { fiatAmount: '7.5', metadata: { cart: 17, gift: true } },
    { mode: 'returnUrl', callbackUrl: 'https://shop.acme.example/back' },
    { mode: 'returnUrl', fiatAmount: '33' },
    { mode: 'returnAppUrl', targetApp: 'com.example.wallet' },
    { mode: 'returnAppUrl', targetApp: 'com.example.wallet', lang: 'de' },
    { userId: '6f1e9a52-3d04-4b7e-9c58-1f2a6b7c8d90', firstName: 'Ada', lastName: 'Byron' },
  ]
  for (const fields of shapes) {
    const order = newOrder(stage, fields)
    await app.create(order)
    await app.lookUpAll(order.requestId)
    await pay([order.requestId])
    await advance('1s')
    await app.lookUpAll(order.requestId)
    await advance('20s')
    await app.lookUpAll(order.requestId)
  }
  // A sale begins: several payers in one moment, twice.
  for (let sale = 0; sale < 2; sale++) {
    const orders = Array.from({ length: 6 }, () => newOrder(stage))
    for (const order of orders) await app.create(order)
    await pay(orders.map(({ requestId }) => requestId))
    await advance('3m')
  }
  // An endpoint of all kinds of answers.
  for (const plan of answers) {
    const orders = [newOrder(stage), newOrder(stage)]
    for (const order of orders) {
      receiver.plan(order.requestId, plan)
      await app.create(order)
      await advance('8s')
    }
    await pay(orders.map(({ requestId }) => requestId))
    await advance('9h')
  }
}

const firstly =
  (status: number, times = 1): Plan =>
  (attempt) => ({ status: attempt <= times ? status : 200 })

/** Answers to webhooks of two orders each. The service waits at most some hours before it tries again. */
const answers: readonly Plan[] = [
  firstly(201),
  firstly(202),
  firstly(204),
  firstly(409),
  firstly(500, 2),
  (attempt) => (attempt === 1 ? { status: 503, retryAfter: 110 } : { status: 200 }),
  // Longer than what some providers wait at most.
  (attempt) => (attempt === 1 ? { status: 503, retryAfter: 700 } : { status: 200 }),
]

/** Payments that fail. */
export async function failures(stage: Stage): Promise<void> {
  const { app, advance, pay } = stage
  for (const scenario of ['fail-9004', 'fail-9005', 'fail-9004', 'fail-9005']) {
    const order = await following(stage, scenario)
    await app.create(order)
    await advance('30s')
    await app.lookUpAll(order.requestId)
  }
  for (const fiatAmount of ['90.04', '90.05', '90.04', '90.05']) {
    const order = newOrder(stage, { fiatAmount })
    await app.create(order)
    await pay([order.requestId])
    await advance('30s')
    await app.lookUpAll(order.requestId)
  }
}

/** Money that goes back: in whole, in parts, or not. */
export async function refunds(stage: Stage): Promise<void> {
  const { app, advance, pay } = stage
  const scenarios = [
    'refund-initiated',
    'refund-failed',
    'refund-partial-twice',
    'refund-initiated',
    'refund-failed',
    'refund-partial-twice',
    'refund-partial-twice',
    'refund-partial-twice',
  ]
  for (const scenario of scenarios) {
    const order = await following(stage, scenario)
    await app.create(order)
    await pay([order.requestId])
    await advance('10s')
    await app.lookUp('fiat-refunds', order.requestId)
    await advance('5m')
    await app.lookUpAll(order.requestId)
  }
}

/** Subscriptions: of each interval, with and without a trial. */
export async function subscriptions(stage: Stage): Promise<void> {
  const { app, advance, pay } = stage
  const intervals = ['MONTHLY', 'DAILY', 'WEEKLY', 'QUARTERLY', 'YEARLY', 'MONTHLY']
  for (const trialPeriodDays of ['365', '180'])
    for (const interval of intervals) {
      const order = { ...newOrder(stage), interval, trialPeriodDays }
      await app.subscribe(order)
      await advance('1s')
    }
  for (const trial of [{}, { trialPeriodDays: '7' }, { mode: 'returnUrl' }]) {
    const order = { ...newOrder(stage, trial), interval: 'MONTHLY' }
    await app.subscribe(order)
    await pay([order.requestId])
    await advance('1m')
    await app.lookUpAll(order.requestId)
  }
}

/** Orders that nobody pays, looked up after they have expired. */
export async function unpaid(stage: Stage): Promise<void> {
  const { app, advance } = stage
  const orders = [await following(stage, 'never-pays'), await following(stage, 'never-pays')]
  for (const order of orders) {
    await app.create(order)
    await advance('90s')
    await app.lookUp('orders', order.requestId)
  }
  await advance('25h')
  for (const { requestId } of orders) await app.lookUpAll(requestId)
}

/** Tokens: a new one while another is valid, one that has become too old, and requests with mistakes. */
export async function tokens(stage: Stage): Promise<void> {
  const { app, advance } = stage
  const order = newOrder(stage)
  await app.create(order)
  for (let time = 0; time < 2; time++) {
    const older = await app.newToken()
    await advance('20s')
    await app.newToken()
    await app.lookUp('orders', order.requestId, older)
    await app.lookUp('orders', order.requestId)
    await advance('1m')
  }
  for (let time = 0; time < 2; time++) {
    app.keep(await app.newToken())
    await advance('5m')
    await app.lookUp('orders', order.requestId)
    await advance('3h')
    await app.lookUp('orders', order.requestId)
    app.forget()
  }
  await app.askForToken({ secret: 'a-wrong-secret' })
  await app.askForToken({ secret: 'another-wrong-secret' })
  for (const form of ['json', 'form', 'basic', 'json', 'form', 'basic'] as const)
    await app.askForToken({ form })
  app.forget()
}

/** Two accounts of one team, which share requestIds by mistake. */
export async function twoAccounts(stage: Stage): Promise<void> {
  const { app, other, advance, pay, chance } = stage
  for (let time = 0; time < 2; time++) {
    const shared = newOrder(stage)
    await app.create(shared)
    await advance('5s')
    await other.create({ ...shared, email: `other${chance.below(100)}@example.com` })
    await pay([shared.requestId])
    const own = newOrder(stage)
    await other.create(own)
    await advance('10s')
    await other.lookUp('orders', own.requestId)
  }
}
