import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startFixture, startTestEmulator } from '../support/emulator.ts'
import { visit } from './support/visit.ts'

const note = (page: Page) => page.locator('#note .note')
/** The words of what has the focus, without the time until an event. */
const focused = (page: Page) => page.evaluate('document.activeElement.textContent.replace(/ \\(.*\\)/, "")')

/** An order that waits for its payer, and its page. */
async function aWaitingOrder(javaScript = true) {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('r1')
  const { orderId } = Object(await c1.order('r1'))
  const path = `/_emulator/ui/orders/${orderId}`
  const page = await visit(emulator, path, { javaScript, height: 400 })
  if (javaScript) await page.locator('#pulse[data-state="live"]').waitFor()
  return { emulator, c1, page, path }
}

test('a button works in place: no new page, the note appears, the focus stays', async () => {
  const { c1, page, path } = await aWaitingOrder()
  await page.evaluate('window.same = true')
  const button = page
    .getByRole('button', { name: 'Cancel' })
    .or(page.locator('#live form.act button[type="submit"]'))
  await button.first().focus()
  const words = await focused(page)
  await page.keyboard.press('Enter')
  await note(page).waitFor()
  expect(await page.evaluate('window.same')).toBe(true)
  expect(await focused(page)).toBe(words)
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(path)
  expect(Object(await c1.order('r1')).orderId).toBe(path.split('/').at(-1))
})

test('without JavaScript a button works as a form does, and its note is shown once', async () => {
  const { page, path } = await aWaitingOrder(false)
  await page.locator('#live form.act button[type="submit"]').first().click()
  await note(page).waitFor()
  expect(new URL(page.url()).pathname).toBe(path)
  await page.reload()
  expect(await note(page).count()).toBe(0)
})

test('a note that came with a page is gone from its address, and Escape takes it away', async () => {
  const { emulator, page } = await aWaitingOrder(false)
  await page.locator('#live form.act button[type="submit"]').first().click()
  const to = page.url()
  await emulator.control('/clients', 'POST', {})
  const scripted = await visit(emulator, new URL(to).pathname)
  expect(scripted.url()).not.toContain('note=')
  await scripted.locator('#live form.act button[type="submit"]').first().click()
  await note(scripted).waitFor()
  await scripted.keyboard.press('Escape')
  expect(await note(scripted).count()).toBe(0)
})

/** Sends the first form of a page as it is, or with another call in it: the mouse would scroll to it. */
const submit = (page: Page, call?: string) =>
  page.evaluate(`{
    const form = document.querySelector('#live form.act')
    form.elements.action.value = ${JSON.stringify(call)} ?? form.elements.action.value
    form.requestSubmit()
  }`)

const refused = JSON.stringify({ method: 'POST', path: '/orders/none/pay', body: {} })

/** The controls in view that the note covers. */
const covered = (page: Page) =>
  page.evaluate<string[]>(`{
    const note = document.querySelector('#note')
    const room = note.getBoundingClientRect()
    const isCovered = ({ top, bottom, left, right }) =>
      bottom > Math.max(top, room.top, 0) && top < Math.min(room.bottom, innerHeight) &&
      left < room.right && right > room.left
    const all = [...document.querySelectorAll('a, button, input, select, textarea, summary')]
    all
      .filter((control) => !note.contains(control) && control.checkVisibility())
      .filter((control) => isCovered(control.getBoundingClientRect()))
      .map((control) => control.tagName + ' ' + control.textContent)
  }`)

test.each([
  [390, 'top', 'good'],
  [390, 'scrolled', 'good'],
  [390, 'scrolled', 'bad'],
  [1280, 'top', 'good'],
  [1280, 'scrolled', 'good'],
  [1280, 'scrolled', 'bad'],
] as const)('%i pixels wide, %s: the note of a %s answer covers no control', async (width, where, how) => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('r1')
  const { orderId } = Object(await c1.order('r1'))
  const page = await visit(emulator, `/_emulator/ui/orders/${orderId}`, { width, height: 700 })
  await page.locator('#pulse[data-state="live"]').waitFor()
  if (where === 'scrolled') await page.evaluate('scrollTo(0, document.body.scrollHeight / 3)')
  await submit(page, how === 'bad' ? refused : undefined)
  await page.locator(`#note .note.${how}`).waitFor()
  expect(await covered(page)).toEqual([])
  expect(await note(page).evaluate((strip) => strip.getBoundingClientRect().top)).toBeLessThan(300)
})

test('a short note moves nothing on a wide page', async () => {
  const { emulator } = await startFixture()
  const page = await visit(emulator, '/_emulator/ui/clocks?clientId=C1')
  await page.locator('details:has(#set-clock) > summary').click()
  const heading = () => page.locator('h1').evaluate((h1) => h1.getBoundingClientRect().top)
  const before = await heading()
  await page.locator('#set-clock button[type="submit"]').click()
  await note(page).waitFor()
  expect(await heading()).toBe(before)
})

test('the note of a success goes after 5 seconds', async () => {
  const { page } = await aWaitingOrder()
  await page.clock.install()
  await submit(page)
  await note(page).waitFor()
  await page.clock.fastForward(4_000)
  expect(await note(page).count()).toBe(1)
  await page.clock.fastForward(1_000)
  await note(page).waitFor({ state: 'detached' })
})

test('the note of a refusal stays', async () => {
  const { page } = await aWaitingOrder()
  await page.clock.install()
  await submit(page, refused)
  await page.locator('#note .note.bad').waitFor()
  await page.clock.fastForward(60_000)
  expect(await note(page).count()).toBe(1)
})

test('a note that somebody is at work in does not go', async () => {
  const { page } = await aWaitingOrder()
  await page.clock.install()
  await page.locator('#live form.act button[type="submit"]').first().click()
  await note(page).locator('summary').first().click()
  await page.clock.fastForward(60_000)
  expect(await note(page).count()).toBe(1)
  await note(page).locator('summary').first().click()
  await page.locator('h1').click()
  await page.clock.fastForward(5_000)
  await note(page).waitFor({ state: 'detached' })
})

test('what is typed into a form on a live part stays while the page changes', async () => {
  const { c1, page } = await aWaitingOrder()
  await c1.advance('1h')
  const field = page.getByLabel('Amount, up to 10.00 usd_us')
  await field.fill('7.77')
  await field.blur()
  await page.evaluate("document.querySelector('#live h2').mine = 'kept'")
  await c1.fiatOrders('r1')
  await page.locator('#live', { hasText: 'Lookup orders' }).waitFor()
  expect(await field.inputValue()).toBe('7.77')
})

test('the command follows what is typed, and can be copied', async () => {
  const { page } = await aWaitingOrder()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const form = page.locator('#decline')
  await page.getByRole('button', { name: 'Show curl' }).click()
  await form.locator('.curl').waitFor()
  await form.getByLabel('Error code').fill('9005')
  await expect.poll(() => form.locator('.curl code').textContent()).toContain('9005')
  await form.getByRole('button', { name: 'Copy' }).click()
  await form.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    await form.locator('.curl code').textContent(),
  )
})

test('the command follows what was typed before the scripts were there', async () => {
  const { page } = await aWaitingOrder()
  const typed = Promise.withResolvers<void>()
  await page.route('**/live*.js', async (route) => {
    await typed.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Show curl' }).click()
  await page.getByLabel('Error code').fill('9005')
  typed.resolve()
  await page.locator('#decline .curl code', { hasText: '9005' }).waitFor()
})

test('header and forms above the list follow what a button did', async () => {
  const emulator = await startTestEmulator()
  const page = await visit(emulator, '/_emulator/ui/clients')
  expect(await page.locator('#client-scope').count()).toBe(0)
  await page.getByText('Create a client').click()
  const form = page.locator('#make-client')
  for (const clientId of ['C8', 'C9']) {
    await form.locator('#make-client-clientId').fill(clientId)
    await form.locator('button[type="submit"]').click()
    await page.locator('#live', { hasText: clientId }).waitFor()
  }
  expect(await page.locator('#client-scope').textContent()).toContain('C9')
})

test('a form above the list that is refused says so itself, and keeps what was typed', async () => {
  const { emulator } = await startFixture()
  const field = '#make-client-clientId'
  const page = await visit(emulator, '/_emulator/ui/clients')
  await page.getByText('Create a client').click()
  await page.locator(field).fill('C1')
  await page.locator('#make-client button[type="submit"]').click()
  await page.locator('#make-client-refusal').waitFor()
  expect(await page.locator(field).inputValue()).toBe('C1')
})

test('a choice above the list shows what it was set to', async () => {
  const { emulator } = await startFixture()
  const page = await visit(emulator, '/_emulator/ui/clocks?clientId=C1')
  const choice = page.locator('#set-clock-mode')
  await page.locator('details:has(#set-clock) > summary').click()
  const other = (await choice.inputValue()) === 'real' ? 'manual' : 'real'
  await choice.selectOption(other)
  await page.locator('#set-clock button[type="submit"]').click()
  await note(page).waitFor()
  expect(await choice.inputValue()).toBe(other)
})
