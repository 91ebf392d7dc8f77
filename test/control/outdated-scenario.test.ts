import { expect, test } from 'vitest'
import { startFixture } from '../support/emulator.ts'
import { expectStatus } from '../support/expect.ts'
import { pageOf, readable } from '../support/payment-page.ts'
import { draftOf, firstOf, restore, snapshotOf } from '../support/snapshot.ts'

/** An order under the requestId `old`, whose scenario this version cannot read. */
async function withOldOrder() {
  const fixture = await startFixture()
  await fixture.c1.createCheckout('old')
  const draft = draftOf(await snapshotOf(fixture.emulator))
  Object.assign(firstOf(draft.scenarios), { format: 0, version: 'old' })
  firstOf(draft.orders).order.scenario.version = 'old'
  await restore(fixture.emulator, draft)
  return fixture
}

test('an order whose scenario is of another form is parked, and time goes on for all others', async () => {
  const { c1 } = await withOldOrder()
  await c1.createCheckout('new')
  await c1.advance('1h')
  const old = await c1.order('old')
  expect(old).toMatchObject({ orderStatus: 'CREATED', nextDueAt: null })
  expect(JSON.stringify(old.history)).toContain('parked')
  expect(await c1.order('new')).toMatchObject({ orderStatus: 'COMPLETED' })
})

test('its payment page shows it as it stands, and says why nobody can pay', async () => {
  const { emulator, c1 } = await withOldOrder()
  const page = await pageOf(c1, emulator, 'old')
  expectStatus(await page.open(), 200)
  const answer = await page.choose({ outcome: 'completed' })
  expectStatus(answer, 409)
  expect(readable(answer)).toContain('Another version of this program stored')
})
