import { formatDuration } from '../../text/duration.ts'
import type { RecordedLife } from '../recorded-life.ts'
import { goTest } from './go-test.ts'
import { javascriptTest } from './javascript-test.ts'
import { pythonTest } from './python-test.ts'
import type { TestFacts } from './test-facts.ts'

/** The test runners for which a kept order gets a test. */
export const testKinds = ['vitest', 'jest', 'pytest', 'go'] as const
export type TestKind = (typeof testKinds)[number]

/** A test that plays a kept scenario. */
export interface KeptTest {
  /** The name of its file. */
  readonly file: string
  readonly text: string
}

/** Writes the test of a kept order. */
export function keptTest(kind: TestKind, id: string, life: RecordedLife): KeptTest {
  const facts = factsOf(id, life)
  if (kind === 'pytest') return { file: `test_${id.replaceAll('-', '_')}.py`, text: pythonTest(facts) }
  if (kind === 'go') return { file: `${id.replaceAll('-', '_')}_test.go`, text: goTest(facts) }
  return { file: kind === 'vitest' ? `${id}.test.ts` : `${id}.test.js`, text: javascriptTest(kind, facts) }
}

function factsOf(id: string, { orders }: RecordedLife): TestFacts {
  const [{ order }] = orders
  const { orderId, kind, fiatAmount, currencyId, email, createdAt, request } = order
  const { interval, trialPeriodDays } = request
  const subscription = kind === 'subscription' && { interval: interval ?? 'MONTHLY' }
  const trial = trialPeriodDays !== undefined && { trialPeriodDays }
  const times = orders
    .flatMap(({ deliveries }) => deliveries)
    .flatMap(({ attempts, status, createdAt: at, orderStatus }) => {
      const sent = attempts.filter(
        ({ requestHeaders, status: answered }) => answered !== null || Object.keys(requestHeaders).length > 0,
      )
      const all = status === 'skipped' && attempts.length === 0 ? [{ at }] : sent
      return all.map((attempt) => ({ at: attempt.at, orderStatus }))
    })
    .toSorted((a, b) => a.at - b.at)
  const last = times.at(-1)?.at ?? createdAt
  const webhooks = times.map(({ at, orderStatus }) => ({ after: (at - createdAt) / 1_000, orderStatus }))
  return {
    id,
    orderId,
    kind,
    fields: { fiatAmount, currencyId, email, ...subscription, ...trial },
    start: kind === 'subscription' ? new Date(createdAt).toISOString() : null,
    advance: formatDuration(Math.ceil((last - createdAt) / 1_000) * 1_000 + 1_000),
    webhooks,
  }
}
