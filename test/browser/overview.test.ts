import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startFixture, startTestEmulator } from '../support/emulator.ts'
import { visit } from './support/visit.ts'

const isLive = (page: Page) => page.locator('#pulse[data-state="live"]').waitFor()

/** The buttons that something lies over, by their words. */
const covered = (page: Page) =>
  page.evaluate<string[]>(`{
    const isCovered = (button) => {
      const { left, top, width, height } = button.getBoundingClientRect()
      const there = document.elementFromPoint(left + width / 2, top + height / 2)
      return there === null || !(button === there || button.contains(there))
    }
    const inSight = ({ top, bottom }) => top >= 0 && bottom <= innerHeight
    const buttons = [...document.querySelectorAll('button, a.button, input:not([type="hidden"]), select')]
      .filter((button) => button.checkVisibility() && button.offsetWidth > 2 && inSight(button.getBoundingClientRect()))
    buttons.filter(isCovered).map((button) => button.textContent || button.id)
  }`)

test('the overview follows what happens, and its numbers lead on', async () => {
  const { emulator, c1 } = await startFixture({ webhookUrl: 'http://127.0.0.1:9/closed' })
  const page = await visit(emulator, '/_emulator/')
  await isLive(page)
  await c1.createCheckout('r1')
  await c1.createCheckout('r2', { signed: 'something else' })
  await page.getByRole('link', { name: '1 CREATED' }).waitFor()
  await page.getByRole('link', { name: 'signature.wrong' }).waitFor()
  await page.locator('.attempts-strip rect.bad').first().waitFor()
  await page.getByRole('link', { name: '1 CREATED' }).click()
  await page.getByRole('link', { name: 'r1', exact: true }).waitFor()
})

test('red numbers appear by themselves, and go when the list is looked at', async () => {
  const { emulator, c1 } = await startFixture()
  const page = await visit(emulator, '/_emulator/ui/clocks')
  await isLive(page)
  await c1.createCheckout('r1', { signed: 'something else' })
  await page.locator('#places').getByRole('link', { name: 'Requests 1 failed' }).click()
  await page.getByText('signature.wrong').first().waitFor()
  await page.locator('#places').getByRole('link', { name: 'Overview' }).click()
  await page.getByRole('heading', { name: 'Rejected calls 1' }).waitFor()
  expect(await page.locator('#places .failed').count()).toBe(0)
})

test.each([
  ['one client', '?clientId=C1', '16:00:02', ['2026-04-21T16:00:02Z', '2026-04-21T16:00:00Z']],
  ['several clients', '', '3 clocks', ['2026-04-21T16:00:02Z', '2026-04-21T16:00:02Z']],
])('the bar moves the time of %s, by mouse and by keyboard', async (_, query, shown, expected) => {
  const { emulator, c1, c2 } = await startFixture()
  await c1.createCheckout('r1')
  await c1.settle()
  const page = await visit(emulator, `/_emulator/ui/settings${query}`)
  await page.getByRole('button', { name: 'Next event (in 2 s)' }).click()
  await page.locator('#note > .good').waitFor()
  expect(await page.locator('#clock-bar .reading').textContent()).toContain(shown)
  expect(await Promise.all([c1.now(), c2.now()])).toEqual(expected.map(Date.parse))
  expect(await covered(page)).toEqual([])
  await page.getByRole('button', { name: '+1 min' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => c1.now()).toBe(Date.parse('2026-04-21T16:01:02Z'))
})

test('the clocks of a loaded fixture are in the bar at once', async () => {
  const emulator = await startTestEmulator()
  const page = await visit(emulator, '/_emulator/ui/world')
  expect(await page.locator('#clock-bar').textContent()).toContain('Nothing is due')
  await emulator.control('/fixtures', 'POST', {
    clients: [
      { clientId: 'shop', orders: [{ requestId: 'r1' }] },
      { clientId: 'other', clock: { mode: 'real', speed: 60 } },
    ],
  })
  await page.reload()
  expect(await page.locator('#clock-bar .reading').textContent()).toMatch(/3 clocks in UTC: \d \w+, \d/)
  await page.getByRole('button', { name: 'Pause', exact: true }).first().click()
  await expect
    .poll(async () => Object((await emulator.control('/clock?clientId=other')).json).mode)
    .toBe('manual')
})

test('a button with its command switched on shows it; the switch stays over pages', async () => {
  const { emulator } = await startFixture()
  const page = await visit(emulator, '/_emulator/ui/faults?clientId=C1')
  expect(await page.locator('#clock-bar .curl').count()).toBe(0)
  await page.getByRole('button', { name: 'Show curl' }).click()
  await page.locator('#clock-bar .curl').first().waitFor()
  await page.locator('#places').getByRole('link', { name: 'Scenarios' }).click()
  await page.locator('#clock-bar .curl').first().waitFor()
  expect(await page.locator('#bar-1m .curl code').textContent()).toContain(
    '/_emulator/clock/advance?clientId=C1',
  )
})

test('JSON is folded and unfolded, and copied as a whole', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout(c1.checkout('r1', { metadata: { cart: { n: 1 } } }))
  const page = await visit(emulator, '/_emulator/ui/requests?clientId=C1')
  await page.locator('tbody a').first().click()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const json = page.locator('.json-view').first()
  await json.getByText('"metadata"').click()
  expect(await json.getByText('"cart"').isVisible()).toBe(false)
  await json.getByRole('button', { name: 'Copy' }).click()
  await json.getByRole('button', { name: 'Copied' }).waitFor()
  const copied = JSON.parse(await page.evaluate<string>('navigator.clipboard.readText()'))
  expect(copied).toMatchObject({ metadata: { cart: { n: 1 } } })
})

test('a question mark lists the keys, and Escape closes the list', async () => {
  const page = await visit(await startTestEmulator(), '/_emulator/')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  await page.keyboard.press('Escape')
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('the reference is searched, and a link to a call unfolds it', async () => {
  const emulator = await startTestEmulator()
  const page = await visit(emulator, '/_emulator/docs#control-advanceClock')
  await page.getByText('All events').or(page.locator('#control-advanceClock pre')).first().waitFor()
  expect(await page.locator('#control-advanceClock').isVisible()).toBe(true)
  await page.getByRole('searchbox', { name: 'Search' }).fill('rotate webhook secret')
  await page.getByRole('button', { name: 'Search' }).click()
  expect(await page.locator('#control-rotateWebhookSecret').isVisible()).toBe(true)
  expect(await page.locator('#control-advanceClock').count()).toBe(0)
  await page.getByRole('searchbox', { name: 'Search' }).fill('<b>nothing')
  await page.keyboard.press('Enter')
  await page.getByText('No call has “<b>nothing”.').waitFor()
})
