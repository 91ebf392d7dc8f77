import { expect, test } from 'vitest'
import { startFixture } from '../support/emulator.ts'
import { draftOf, restore, setFirst, snapshotOf } from '../support/snapshot.ts'

test('an order whose scenario is of another form is parked, and time goes on for all others', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('old')
  const draft = draftOf(await snapshotOf(emulator))
  setFirst(draft, 'scenario_versions', 'format', 0)
  setFirst(draft, 'scenario_versions', 'version', 'old')
  setFirst(draft, 'orders', 'scenario_version', 'old')
  await restore(emulator, draft)
  await c1.createCheckout('new')
  await c1.advance('1h')
  const old = await c1.order('old')
  expect(old).toMatchObject({ orderStatus: 'CREATED', nextDueAt: null })
  expect(JSON.stringify(old.history)).toContain('parked')
  expect(await c1.order('new')).toMatchObject({ orderStatus: 'COMPLETED' })
})
