/** How many scenarios of the library a world plays. */
export const playedByEach = 20

/** Scenarios that answer each call before the clock has to move: no test may have to guess when a call is held. */
const library = [
  'happy',
  'happy-slow',
  'happy-instant',
  'fail-9004',
  'fail-9005',
  'fail-dotted-code',
  'fail-unknown-code',
  'underpaid-ok',
  'underpaid-failed',
  'overpaid',
  'overnight',
  'paid-then-failed',
  'payer-decides',
  'never-pays',
  'expired-failed',
  'expired-abandoned',
  'refund-initiated',
  'refund-failed',
  'refund-empty-reason',
  'refund-partial-twice',
  'two-leg-events',
  'unknown-status',
  'clock-skew',
  'crypto-leg-late',
  'crypto-payin',
  'payout-ok',
  'payout-failed',
  'sub-trial-monthly',
  'sub-cancelled',
  'sub-month3-fails',
  'create-500-no-order',
  'create-500-order-exists',
  'create-connection-reset',
  'lookup-flaky',
  'rate-limited',
  'token-expires-midflow',
  'url-changed-midflow',
  'webhook-duplicate',
  'webhook-endpoint-down',
  'webhook-forged',
  'webhook-late',
  'webhook-never',
  'webhook-out-of-order',
]

/** The ways in which a test may choose a scenario. */
const ways = ['next', 'next for any requestId', 'header', 'email', 'metadata', 'default'] as const

/** One order that a world makes. */
export interface Played {
  /** The same in all sandboxes. */
  readonly requestId: string
  readonly scenario: string
  readonly kind: 'checkout' | 'subscription' | 'payout' | 'crypto-payin'
  readonly way: (typeof ways)[number]
  /** Whether the world's own receiver refuses each of its webhooks. */
  readonly isRefused: boolean
}

/** The differences between sandboxes. */
export interface Plan {
  readonly clientId: string
  readonly startsAt: number
  readonly settings: object
  readonly defaultScenario: string
  /** The planned faults of the sandbox's own calls and deliveries. */
  readonly faults: readonly object[]
  /** The webhooks of this status are kept back until the end; null for none. */
  readonly holds: string | null
  /** How far its clock goes, step by step. */
  readonly steps: readonly string[]
  readonly orders: readonly Played[]
}

/** The world with this number. No two of the first few hundred are alike. */
export function planOf(world: number): Plan {
  const pick = <T>(list: readonly T[], n: number): T => {
    const picked = list[n % list.length]
    if (picked === undefined) throw new RangeError('an empty list')
    return picked
  }
  const orders = Array.from({ length: playedByEach }, (_, n): Played => {
    const scenario = pick(library, world * 7 + n * 2)
    const way = pick(ways, world + n)
    return {
      requestId: `order-${n + 1}`,
      scenario,
      kind: kindOf(scenario),
      way,
      isRefused: (world + n) % 6 === 0,
    }
  })
  return {
    clientId: `world-${world}`,
    startsAt: Date.UTC(2026, 0, 1 + world, world % 24),
    settings: {
      'webhook.retry.base': pick(['1s', '4s', '30s'], world),
      'webhook.retry.max': world % 5,
      'webhook.format': pick(['flat', 'envelope'], world),
      'orders.expiry': pick(['15m', '1h', '1d'], world),
      'auth.tokenLifetime': pick(['30m', '2h'], world),
    },
    defaultScenario: pick(library.slice(0, 12), world),
    faults: pick(
      [
        [{ on: 'orders', where: { requestId: 'order-2' }, effect: { status: 503 }, times: 2 }],
        [{ on: 'create-order', where: { requestId: 'order-3' }, effect: { reset: true } }],
        [{ on: ['crypto-orders', 'orders'], effect: { status: 429 }, times: 30, probability: 0.3 }],
        [
          { on: 'delivery', where: { orderStatus: 'COMPLETED' }, effect: { drop: true }, times: 2 },
          { on: 'fiat-refunds', effect: { cut: true }, when: 'stored', skip: world, for: '1d' },
        ],
      ],
      world,
    ),
    holds: pick(['COMPLETED', null, 'CREATED', null], world),
    steps: pick(
      [
        ['10s', '20m', '1d', 'P2M'],
        ['1s', '9s', '20m', '26h', '40d'],
        ['1m', 'P1D', 'P1M', '30d'],
      ],
      world,
    ),
    orders,
  }
}

function kindOf(scenario: string): Played['kind'] {
  if (scenario.startsWith('sub-')) return 'subscription'
  if (scenario.startsWith('payout-')) return 'payout'
  return scenario === 'crypto-payin' ? 'crypto-payin' : 'checkout'
}
