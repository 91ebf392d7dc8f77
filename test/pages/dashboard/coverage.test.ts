import { expect, test } from 'vitest'
import { startFixture } from '../../support/emulator.ts'
import { openPage } from '../../support/page.ts'

const coverage = '/_emulator/ui/coverage'

test('the page says what was met and what brings the rest; a button begins again', async () => {
  const { emulator, c1 } = await startFixture()
  await emulator.control('/faults', 'POST', { on: 'orders', effect: { status: 429 } })
  await c1.createCheckout('r1')
  await c1.fiatOrders('r1')
  const page = await openPage(emulator, `${coverage}?clientId=C1`)
  expect(page.wordsIn('hazard-webhook-twice')).toContain("await client.scenarios.next('webhook-duplicate') 0")
  expect(page.wordsIn('hazard-lookup-429')).toMatch(/ 1$/)
  expect(page.wordsIn('percent')).toMatch(/^coverage [\d.]+ % \(\d+ of \d+\)$/)
  expect(page.words).toContain('create-checkout-order 200 1')
  const after = await page.submit('begin-anew')
  expect(after.words).toContain('Done.')
  expect(after.wordsIn('percent')).toMatch(/^coverage 0 % /)
})

test('the page of the world leads there', async () => {
  const { emulator } = await startFixture()
  const world = await openPage(emulator, '/_emulator/ui/world')
  expect((await world.follow('Which behaviours of the service your tests have met')).path).toBe(coverage)
})
