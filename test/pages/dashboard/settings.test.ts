import { expect, test } from 'vitest'
import { choicesTable } from '../../../src/domain/choices/settings.ts'
import { toCheck } from '../../../src/pages/dashboard/settings/settings-page.tsx'
import { startFixture, startTestEmulator } from '../../support/emulator.ts'
import { openPage } from '../../support/page.ts'

const settings = '/_emulator/ui/settings'

test('every choice is there under its number, and so is what should be asked', async () => {
  const { html } = await openPage(await startTestEmulator(), settings)
  for (const { n } of choicesTable()) expect(html).toContain(`id="${n}"`)
  for (const [n] of toCheck) expect(html).toContain(`href="${settings}#${n}"`)
})

test('every setting can be sent as it stands, and says the same afterwards', async () => {
  const emulator = await startTestEmulator()
  const page = await openPage(emulator, settings)
  const before = (await emulator.control('/settings')).json.effective
  for (const [, id = ''] of page.html.matchAll(/<form [^>]*id="(set-[^"]+)"/g)) {
    const { words } = await page.submit(id)
    expect(words, id).toContain('Done.')
  }
  expect((await emulator.control('/settings')).json.effective).toEqual(before)
})

test.each([
  ['set-orders-expiry-N11', 'value:orders.expiry', '2h', 'orders.expiry', '2h'],
  ['set-signature-checkout-N19', 'text:signature.checkout', 'short', 'signature.checkout', 'short'],
  ['set-webhook-retry-max-N44', 'number:webhook.retry.max', '3', 'webhook.retry.max', 3],
  ['set-webhook-on-N40', 'value:webhook.on', '["FAILED"]', 'webhook.on', ['FAILED']],
  [
    'set-subscription-intervals-N25',
    'list:subscription.intervals',
    'DAILY, MONTHLY',
    'subscription.intervals',
    ['DAILY', 'MONTHLY'],
  ],
  [
    'set-orders-orderIdEqualsToken-N58',
    'boolean:orders.orderIdEqualsToken',
    'true',
    'orders.orderIdEqualsToken',
    true,
  ],
])('%s: %s becomes %s', async (form, field, typed, name, value) => {
  const emulator = await startTestEmulator()
  const page = await (await openPage(emulator, settings)).submit(form, { [field]: typed })
  expect(page.words).toContain('set for all clients')
  expect((await emulator.control('/settings')).json.settings).toEqual({ [name]: value })
})

test('of one client is said what holds for it and what holds for all, and it is taken back alone', async () => {
  const { emulator } = await startFixture()
  await emulator.control('/settings', 'PATCH', { 'orders.expiry': '1h' })
  const page = await openPage(emulator, `${settings}?clientId=C1`)
  const set = await page.submit('set-orders-expiry-N11', { 'value:orders.expiry': '2h' })
  expect(set.wordsIn('N11')).toContain('set for C1 2h Default: 15m. For all clients: 1h.')
  const back = await set.submit('set-orders-expiry-N11-default')
  expect(back.wordsIn('N11')).toContain('set for all clients 1h')
  expect((await emulator.control('/clients/C1')).json.settings).toEqual({})
})

test('a refusal stands at its field, with what was typed, and nowhere else', async () => {
  const emulator = await startTestEmulator()
  const page = await openPage(emulator, settings)
  const refused = await page.submit('set-orders-expiry-N11', { 'value:orders.expiry': 'soon' })
  expect(refused.wordsIn('set-orders-expiry-N11-refusal')).toContain('orders.expiry')
  expect(refused.form('set-orders-expiry-N11').fields).toContainEqual(['value:orders.expiry', 'soon'])
  expect(refused.html.match(/-refusal"/g)).toHaveLength(1)
})

test('settings that do not go together are refused at the one to blame', async () => {
  const emulator = await startTestEmulator()
  const page = await openPage(emulator, settings)
  const refused = await page.submit('set-webhook-format-N36', { 'text:webhook.format': 'template' })
  expect(refused.wordsIn('set-webhook-format-N36-refusal')).toContain('webhook.template')
})

test('what holds for all clients only is not offered for one', async () => {
  const { emulator } = await startFixture()
  const page = await openPage(emulator, `${settings}?clientId=C1`)
  expect(page.wordsIn('N22')).toContain('Applies to all clients')
  expect(page.html).not.toContain('id="set-paths-webhookUrl-N22"')
})

test('changed choices are shown alone, and fixed ones too', async () => {
  const emulator = await startTestEmulator()
  expect((await openPage(emulator, `${settings}?show=changed`)).words).toContain(
    'All settings are at their defaults',
  )
  await emulator.control('/settings', 'PATCH', { 'orders.expiry': '1h' })
  const { html } = await openPage(emulator, `${settings}?show=changed`)
  expect([...html.matchAll(/<article class="choice" id="(\w+)"/g)].map(([, n]) => n)).toEqual(['N11'])
  const fixed = await openPage(emulator, `${settings}?show=fixed&q=requestId`)
  expect(fixed.html).toContain('id="N15"')
  expect(fixed.html).not.toContain('id="N16"')
})

test('markup in a setting is text, in the value and in its field', async () => {
  const emulator = await startTestEmulator()
  const bad = '</textarea><img src=x onerror=alert(1)>'
  await emulator.control('/settings', 'PATCH', { 'webhook.template': { a: bad } })
  const page = await openPage(emulator, settings)
  expect(page.wordsIn('N36')).toContain(JSON.stringify({ a: bad }))
  expect(page.html).not.toContain('<img')
})
