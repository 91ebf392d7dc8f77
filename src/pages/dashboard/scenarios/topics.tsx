/** The topics of built-in scenarios, in the order for working through them. */
const topics: readonly (readonly [title: string, about: string, ids: readonly string[]])[] = [
  [
    'The payer pays',
    'Sooner, later, or much later than you expect.',
    ['happy', 'happy-instant', 'happy-slow', 'overnight', 'payer-decides'],
  ],
  [
    'The payment fails',
    'Error codes, expiry, and payers who never pay.',
    [
      ...['fail-9004', 'fail-9005', 'fail-dotted-code', 'fail-unknown-code', 'paid-then-failed'],
      ...['expired-failed', 'expired-abandoned', 'never-pays'],
    ],
  ],
  [
    'The wrong amount, and money back',
    'Too little, too much, and refunds.',
    [
      ...['underpaid-ok', 'underpaid-failed', 'overpaid', 'refund-initiated', 'refund-partial-twice'],
      ...['refund-failed', 'refund-empty-reason'],
    ],
  ],
  [
    'Calls go wrong',
    'Errors, timeouts, rate limits and expired tokens.',
    [
      ...['create-500-order-exists', 'create-500-no-order', 'create-timeout-then-7001'],
      ...['create-connection-reset', 'lookup-flaky', 'rate-limited', 'token-expires-midflow'],
      'token-revoked-loop',
    ],
  ],
  [
    'Webhooks go wrong',
    'Twice, late, out of order, forged, or not at all.',
    [
      ...['webhook-duplicate', 'webhook-late', 'webhook-never', 'webhook-out-of-order'],
      ...['webhook-before-response', 'webhook-endpoint-down', 'webhook-forged', 'two-leg-events'],
      'url-changed-midflow',
    ],
  ],
  [
    'Data that surprises',
    'Texts, times and sizes that code rarely sees.',
    ['unknown-status', 'crypto-leg-late', 'clock-skew', 'big-metadata-unicode'],
  ],
  [
    'Subscriptions',
    'Trials, failed charges, month ends, cancellation.',
    ['sub-trial-monthly', 'sub-month3-fails', 'sub-month-end', 'sub-cancelled'],
  ],
  [
    'Payouts and crypto payins',
    'Orders that are not made by a create call.',
    ['payout-ok', 'payout-failed', 'crypto-payin'],
  ],
  ['Everything at once', 'Random failures, reproducible by seed.', ['chaos']],
]

/** A topic with its scenarios. */
interface TopicOf<T> {
  readonly title: string
  readonly about: string
  readonly items: readonly T[]
}

/** Groups scenarios by topic, added ones first. Empty topics are left out. */
export function byTopic<T extends { readonly id: string }>(scenarios: readonly T[]): TopicOf<T>[] {
  const known = new Set(topics.flatMap(([, , ids]) => ids))
  const own = scenarios.filter(({ id }) => !known.has(id))
  const groups = topics.map(([title, about, ids]) => ({
    title,
    about,
    items: ids.flatMap((id) => scenarios.filter((scenario) => scenario.id === id)),
  }))
  return [
    { title: 'Your own', about: 'Added as a file, or through the control API.', items: own },
    ...groups,
  ].filter(({ items }) => items.length > 0)
}

const shipped = new Set(topics.flatMap(([, , ids]) => ids))

/** The origin of an added scenario, and the kinds of order it is for. */
export function Origin({
  of: { id, from, for: kinds },
}: {
  of: { readonly id: string; readonly from: string; readonly for: readonly string[] | null }
}) {
  return (
    <>
      {from === 'built-in' ? null : (
        <span
          class="status waiting"
          title={from === 'file' ? 'From a file' : 'Added through the control API'}
        >
          {shipped.has(id) ? 'changed' : 'own'}
        </span>
      )}
      {kinds === null ? null : <span class="status other">{kinds.join(', ')} only</span>}
    </>
  )
}
