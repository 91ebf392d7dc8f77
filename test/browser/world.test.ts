import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startFixture } from '../support/emulator.ts'
import { aFolder } from '../support/folder.ts'
import { violationsIn } from './support/accessible.ts'
import { newVisitor, visit } from './support/visit.ts'

test('clients, clocks and what is kept are accessible with everything unfolded, and fit a phone', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('r1')
  await c1.settle()
  const page = await newVisitor(emulator, { width: 390 })
  for (const path of ['clients', 'clients/C1', 'clocks', 'clocks?clientId=C1', 'world']) {
    await page.goto(`${emulator.url}/_emulator/ui/${path}`)
    await page.evaluate("for (const each of document.querySelectorAll('main details')) each.open = true")
    expect(await violationsIn(page), path).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(390)
  }
})

test('a real clock ticks, at its own speed; a manual one stands', async () => {
  const { emulator } = await startFixture({ clock: { mode: 'real', speed: 3600 } })
  const page = await visit(emulator, '/_emulator/ui/clocks')
  const shown = (clientId: string) => page.locator(`#clock-${clientId} time[data-now] .of-day`)
  const stood = await shown('C2').textContent()
  const before = await shown('C1').textContent()
  await shown('C1')
    .filter({ hasNotText: before ?? '' })
    .waitFor()
  expect(await shown('C2').textContent()).toBe(stood)
})

test('an advance shows what it did, and the clock where it now stands', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('r1')
  await c1.settle()
  const page = await visit(emulator, '/_emulator/ui/clocks?clientId=C1')
  await page.getByRole('button', { name: '+ 10 seconds' }).click()
  await page.getByText('The clock moved by 10 s').waitFor()
  await page.locator('#clock-C1').getByText('16:00:10').waitFor()
  expect(await page.locator('.ledger-lines tbody tr').count()).toBe(2)
})

test.each([true, false])('a snapshot is restored by choosing its file (scripts: %s)', async (javaScript) => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('r1')
  const file = join(aFolder(), 'snapshot.json')
  writeFileSync(file, (await emulator.control('/snapshot')).text)
  await emulator.control('/reset', 'POST', {})
  const page = await visit(emulator, '/_emulator/ui/world', { javaScript })
  await page.locator('#confirm-restore > summary').click()
  await page.locator('#restore-file').setInputFiles(file)
  await page.getByRole('button', { name: 'Restore everything' }).click()
  await page.locator('#note').getByText('PUT /_emulator/snapshot').first().waitFor()
  expect((await c1.order('r1')).requestId).toBe('r1')
})

test('what was typed into a refused fixture is still there, without scripts too', async () => {
  const { emulator } = await startFixture()
  for (const javaScript of [true, false]) {
    const page = await visit(emulator, '/_emulator/ui/world', { javaScript })
    const text = 'clients:\n  - clientId: x\n    orderz: []\n'
    await page.locator('#load-text textarea').fill(text)
    await page.locator('#load-text button[type=submit]').click()
    await page.getByText('body:3:5').first().waitFor()
    expect(await page.locator('#load-text textarea').inputValue()).toBe(text)
  }
})

test('the page stays where it is when something falls due', async () => {
  const { emulator, c1 } = await startFixture()
  const page = await visit(emulator, '/_emulator/ui/deliveries?clientId=C1')
  const top = async () => (await page.locator('h1').boundingBox())?.y
  await page.locator('#pulse[data-state="live"]').waitFor()
  const before = await top()
  await c1.createCheckout('r1')
  await page.locator('#bar-next').waitFor()
  expect(before).toBeGreaterThan(0)
  expect(await top()).toBe(before)
})
