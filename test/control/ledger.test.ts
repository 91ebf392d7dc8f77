import { expect, test } from 'vitest'
import { LedgerWriter } from '../../src/control/clock-walk.ts'
import { defaultSettings } from '../../src/domain/choices/settings.ts'
import { Feed } from '../../src/journal/feed.ts'
import { aDecision, aDelivery, anOrder, aResult } from '../store/factories.ts'

test('a ledger keeps 50,000 lines of each kind and says how many it lacks', () => {
  const feed = new Feed((error) => {
    throw error
  })
  const order = anOrder({ clientId: 'c' })
  const writer = new LedgerWriter(feed, ['c'])
  writer.begin()
  for (let at = 0; at < 50_003; at++) {
    const history = [{ at, what: 'order', from: 'CREATED', to: 'COMPLETED' }]
    feed.emit({ type: 'order', decision: aDecision(order, { history }) })
  }
  const delivery = { ...aDelivery({ clientId: 'c' }), attempt: 1 }
  feed.emit({ type: 'attempt', delivery, url: '', at: 1, result: aResult(), settings: defaultSettings })
  const { transitions, deliveries, truncated } = writer.end()
  expect([transitions.length, transitions.at(-1)?.at, deliveries.length]).toEqual([50_000, 49_999, 1])
  expect(truncated).toEqual({ transitions: 3, deliveries: 0 })
})
