import { expect, test } from 'vitest'
import { faultKinds, presets } from '../../../src/pages/dashboard/faults/fault-kinds.ts'
import { startFixture, startTestEmulator } from '../../support/emulator.ts'
import { openPage } from '../../support/page.ts'

const faults = '/_emulator/ui/faults'

test.each(presets.map(({ name }) => name))('the preset %s plans what the control API takes', async (name) => {
  const { emulator } = await startFixture()
  const page = await (await openPage(emulator, `${faults}?clientId=C1`)).submit(`preset-${name}`)
  expect(page.words).toContain('Done.')
  expect((await emulator.control('/faults?clientId=C1')).items).toHaveLength(1)
})

test('every kind of fault has a form that can be sent as it stands', async () => {
  const emulator = await startTestEmulator()
  for (const { name } of faultKinds) {
    const page = await (await openPage(emulator, `${faults}?plan=${name}`)).submit(`plan-${name}`)
    expect(page.words, name).toContain('Done.')
  }
  expect((await emulator.control('/faults')).items).toHaveLength(faultKinds.length)
})

test('what is filled in becomes the fault, and the list says it in words', async () => {
  const { emulator, c1 } = await startFixture()
  const form = await openPage(emulator, `${faults}?plan=status`)
  const page = await form.submit('plan-status', {
    'number:effect.status': '429',
    'number:effect.retryAfter': '7',
    'text:on': 'orders',
    'text:where.requestId': 'r*',
    'number:times': '2',
    'text:clientId': 'C1',
  })
  expect(page.wordsIn('note')).toContain('Planned: status 429, retryAfter 7, for calls of orders')
  expect(page.words).toContain('calls of orders with requestId r*')
  await c1.createCheckout('r1')
  expect(await c1.fiatOrders('r1')).toMatchObject({ status: 429, headers: { 'retry-after': '7' } })
  const after = (await openPage(emulator, faults)).words
  expect(after).toContain('1 of 1 that match')
  expect(after).toContain('once more')
  await c1.fiatOrders('r1')
  expect((await openPage(emulator, faults)).words).toContain('2 of 2 that match over')
})

test('a refused fault says why at its form, which keeps what was typed', async () => {
  const emulator = await startTestEmulator()
  const form = await openPage(emulator, `${faults}?plan=late`)
  const page = await form.submit('plan-late', { 'text:effect.delay': '3 weeks' })
  expect(page.path).toContain('plan=late')
  expect(page.wordsIn('plan-late-refusal')).toContain('effect.delay')
  expect(page.form('plan-late').fields).toContainEqual(['text:effect.delay', '3 weeks'])
})

test('a fault is written as JSON, and what is no JSON is said to be none', async () => {
  const emulator = await startTestEmulator()
  const form = await openPage(emulator, `${faults}?plan=json`)
  const broken = await form.submit('plan-json', { 'json:': '{"on":' })
  expect(broken.wordsIn('plan-json-refusal')).toMatch(/JSON/)
  expect((await form.submit('plan-json')).words).toContain('status 502')
})

test('one fault is removed, then all', async () => {
  const emulator = await startTestEmulator()
  const ids: string[] = []
  for (const on of ['orders', 'crypto-orders', 'fiat-refunds']) {
    const { json } = await emulator.control('/faults', 'POST', { on, effect: { status: 500 } })
    ids.push(String(json.id))
  }
  await (await openPage(emulator, faults)).submit(`remove-${ids[1]}`)
  const left = (await emulator.control('/faults')).items
  expect(left.map(({ id }) => id)).toEqual([ids[0], ids[2]])
  await (await openPage(emulator, faults)).submit('remove-all')
  expect((await emulator.control('/faults')).items).toEqual([])
})

test('narrowed to a client, all means all of that client', async () => {
  const { emulator } = await startFixture()
  await emulator.control('/faults', 'POST', { on: 'orders', effect: { status: 500 } })
  await emulator.control('/faults?clientId=C1', 'POST', { on: 'orders', effect: { status: 501 } })
  const page = await openPage(emulator, `${faults}?clientId=C1`)
  expect(page.words).toMatch(/status 501 .* C1 .*status 500 .* all /)
  await page.submit('remove-all')
  expect((await emulator.control('/faults')).items).toMatchObject([{ effect: { status: 500 } }])
})

test('those that are over, and those that are not, are shown alone', async () => {
  const { emulator, c1 } = await startFixture()
  await emulator.control('/faults', 'POST', { on: 'orders', effect: { status: 501 } })
  await emulator.control('/faults', 'POST', { on: 'fiat-refunds', effect: { status: 502 } })
  await c1.fiatOrders('r1')
  const waiting = await (await openPage(emulator, faults)).follow('Active')
  expect(waiting.words).toContain('status 502')
  expect(waiting.words).not.toContain('status 501')
  const over = await waiting.follow('Over')
  expect(over.words).toContain('status 501')
  expect(over.words).not.toContain('status 502')
})

test('a fault of all clients is not hidden from those who look at one', async () => {
  const emulator = await startTestEmulator()
  await emulator.control('/faults', 'POST', { on: 'orders', effect: { status: 503 } })
  const page = await openPage(emulator, `${faults}?clientId=demo-client`)
  expect(page.words).not.toContain('Nothing is planned')
  expect(page.html).not.toContain('id="remove-all"')
})

test('long lists go on by key', async () => {
  const emulator = await startTestEmulator()
  for (let status = 500; status < 551; status += 1)
    await emulator.control('/faults', 'POST', { on: 'orders', effect: { status } })
  const first = await openPage(emulator, faults)
  expect(first.words).toContain('status 550')
  expect(first.words).not.toContain('status 500')
  const older = await first.follow('Older')
  expect(older.words).toContain('status 500')
  expect(older.words).not.toContain('status 501')
})

test('markup in a fault is text', async () => {
  const emulator = await startTestEmulator()
  const bad = '<img src=x onerror=alert(1)>'
  await emulator.control('/faults', 'POST', {
    on: 'orders',
    where: { requestId: bad },
    effect: { status: 500, body: bad },
  })
  const { html, words } = await openPage(emulator, faults)
  expect(words).toContain(`calls of orders with requestId ${bad}`)
  expect(html).not.toContain('<img')
})
