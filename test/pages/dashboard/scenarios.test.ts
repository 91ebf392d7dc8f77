import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { byTopic } from '../../../src/pages/dashboard/scenarios/topics.tsx'
import { startFixture, startTestEmulator, type TestEmulator } from '../../support/emulator.ts'
import { aFolder } from '../../support/folder.ts'
import { openPage } from '../../support/page.ts'

const library = '/_emulator/ui/scenarios'

const put = (emulator: TestEmulator, id: string, body: string) =>
  emulator.send(`/_emulator/scenarios/${id}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/yaml' },
    body,
  })

test('every scenario that ships stands under one topic, and only what does not ship is called your own', () => {
  const ids = readdirSync('scenarios').flatMap((name) => (name.endsWith('.yaml') ? [name.slice(0, -5)] : []))
  const shown = byTopic([...ids, 'mine'].map((id) => ({ id })))
  expect(shown[0]).toMatchObject({ title: 'Your own', items: [{ id: 'mine' }] })
  const placed = shown.slice(1).flatMap(({ items }) => items.map(({ id }) => id))
  expect(placed.toSorted()).toEqual(ids.toSorted())
})

test('a search finds words of what a scenario tests, and keeps them in its address', async () => {
  const emulator = await startTestEmulator()
  const page = await (await openPage(emulator, library)).submit('filters', { q: 'currency offset TIMESTAMP' })
  expect(page.words).toContain('No scenario matches')
  const found = await page.submit('filters', { q: 'offset TIMESTAMP' })
  expect(found.path).toContain('q=offset+TIMESTAMP')
  expect(found.links('clock-skew')).toHaveLength(1)
  expect(found.links('happy')).toEqual([])
})

test('the filter by kind leaves out what serves other kinds only', async () => {
  const emulator = await startTestEmulator()
  const page = await openPage(emulator, `${library}?for=payout`)
  expect(page.links('payout-ok')).toHaveLength(1)
  expect(page.links('happy')).toHaveLength(1)
  expect(page.links('sub-cancelled')).toEqual([])
})

test('the button for the next order plans it, of the client that the pages are narrowed to', async () => {
  const { emulator, c1, c2 } = await startFixture()
  const page = await (await openPage(emulator, `${library}?clientId=C1`)).submit('next-fail-9004')
  expect(page.wordsIn('planned')).toBe('Planned for coming orders')
  expect(page.wordsIn('note')).toContain('The next order of C1 follows fail-9004.')
  expect(page.wordsIn('next-fail-9004')).toContain('Done')
  expect(page.wordsIn('next-fail-9005')).not.toContain('Done')
  await c2.createCheckout('r1')
  await c1.createCheckout('r1')
  expect((await c2.order('r1')).scenario).toEqual({ id: 'happy', why: 'default' })
  expect((await c1.order('r1')).scenario).toEqual({ id: 'fail-9004', why: 'next' })
  expect((await openPage(emulator, `${library}?clientId=C1`)).words).not.toContain('Planned for')
})

test('a plan is taken back', async () => {
  const { emulator, c1 } = await startFixture()
  const { json } = await emulator.control('/scenarios/next', 'POST', { scenario: 'fail-9004', count: 3 })
  const page = await openPage(emulator, library)
  expect(page.wordsIn(String(json.id))).toContain('the next 3 orders any')
  await page.submit(`unplan-${String(json.id)}`)
  await c1.createCheckout('r1')
  expect((await c1.order('r1')).scenario).toMatchObject({ id: 'happy' })
})

test('the default of one client is set, and asked for where there are several', async () => {
  const { emulator } = await startFixture()
  const narrowed = await openPage(emulator, `${library}?clientId=C2`)
  const page = await narrowed.submit('default-overnight')
  expect(page.wordsIn('scenario-overnight')).toContain('default of C2')
  const all = await openPage(emulator, library)
  expect(all.html).not.toContain('id="default-overnight"')
  const one = await openPage(emulator, `${library}/fail-9005`)
  await one.submit('choose-default', { 'path:clientId': 'C1' })
  expect((await emulator.control('/clients/C1')).json).toMatchObject({ defaultScenario: 'fail-9005' })
})

test('the page of a scenario tells what happens when, and what is drawn has all of it as words too', async () => {
  const emulator = await startTestEmulator()
  const page = await openPage(emulator, `${library}/webhook-late`)
  expect(page.words).toMatch(/\+5s order CREATED → COMPLETED/)
  expect(page.words).toMatch(/\+40m 5s|\+2405s/)
  expect(page.html).toMatch(/<svg[^>]*role="img"[^>]*aria-label="Time line: /)
  expect((await openPage(emulator, `${library}/fail-9004?amount=x`)).words).toContain('must be an amount')
})

test('the ways to choose a scenario are named, the amount only where there is one', async () => {
  const emulator = await startTestEmulator()
  const { words } = await openPage(emulator, `${library}/fail-9004`)
  for (const way of [
    'emulator-scenario: fail-9004',
    '{"metadata":{"emulatorScenario":"fail-9004"}}',
    '{"email":"buyer+fail-9004@example.com"}',
    '{"requestDescription":"scenario: fail-9004"}',
    '{"fiatAmount":"90.04"}',
  ])
    expect(words).toContain(way)
  expect((await openPage(emulator, `${library}/overpaid`)).words).not.toContain('fiatAmount')
})

test('an order is tried, and the browser goes to it', async () => {
  const { emulator } = await startFixture()
  const page = await openPage(emulator, `${library}/fail-9004`)
  const order = await page.submit('try-it', { 'text:clientId': 'C2', 'text:requestId': 'tried' })
  const { items } = await emulator.control('/orders?clientId=C2')
  expect(items).toMatchObject([{ requestId: 'tried', scenario: { id: 'fail-9004', why: 'control API' } }])
  expect(order.path).toContain(`/ui/orders/${String(items[0]?.orderId)}`)
})

test('a text with mistakes is kept as it was typed, with each line that is wrong', async () => {
  const emulator = await startTestEmulator()
  const text = 'id: happy\ndescription: mine & <b>yours</b>\ntimeline:\n  - { atr: 2s }\n'
  const page = await (await openPage(emulator, `${library}/happy`)).submit('edit', { 'yaml:': text })
  expect(page.form('edit').fields).toContainEqual(['yaml:', text.trim()])
  expect(page.wordsIn('edit')).toContain(
    'Line 4, column 7: unknown key `atr`; did you mean `at`? 4 | - { atr: 2s }',
  )
  expect((await emulator.control('/scenarios/happy')).json).toMatchObject({ from: 'built-in' })
})

test('a text that is right is saved, shown as changed, and taken back', async () => {
  const emulator = await startTestEmulator()
  const text = 'id: happy\ndescription: mine\ntimeline: []\n'
  const page = await (await openPage(emulator, `${library}/happy`)).submit('edit', { 'yaml:': text })
  expect(page.words).toContain('mine changed')
  const back = await page.submit('take-back')
  expect(back.path).toMatch(/^\/_emulator\/ui\/scenarios\?/)
  expect((await emulator.control('/scenarios/happy')).json).toMatchObject({ from: 'built-in' })
})

test('a new scenario is written from the template under its own name', async () => {
  const emulator = await startTestEmulator()
  const empty = await openPage(emulator, '/_emulator/ui/new-scenario')
  const refused = await empty.submit('new', { 'path:id': 'other' })
  expect(refused.path).toContain('/ui/new-scenario')
  expect(refused.form('new').fields).toContainEqual(['path:id', 'other'])
  const page = await empty.submit('new')
  expect(page.path).toContain('/ui/scenarios/my-scenario')
  expect((await openPage(emulator, `${library}?from=own`)).links('my-scenario')).toHaveLength(1)
})

test('markup in a scenario is text, in the library and on its page', async () => {
  const emulator = await startTestEmulator()
  const bad = '<img src=x onerror=alert(1)>'
  await put(
    emulator,
    'bad',
    `id: bad\ndescription: ${bad}\ntests: ${bad}\ntimeline: [{ at: 1s, order: "X" }]\n`,
  )
  for (const path of [library, `${library}/bad`]) {
    const { html, words } = await openPage(emulator, path)
    expect(words).toContain(bad)
    expect(html).not.toContain('<img')
  }
})

test('a file that is broken is told with its place, and whether something is in use for it', async () => {
  const folder = aFolder()
  writeFileSync(join(folder, 'mine.yaml'), 'id: mine\ndescription: d\ntimeline: []\n')
  const emulator = await startTestEmulator({ scenarios: [folder] })
  const before = await openPage(emulator, library)
  expect(before.wordsIn('scenario-mine')).toContain('mine own')
  expect(before.words).not.toContain('cannot be used')
  writeFileSync(join(folder, 'mine.yaml'), 'id: mine\ndescription: d\ntimelin: []\n')
  const { words } = await vi.waitFor(async () => {
    const page = await openPage(emulator, library)
    expect(page.words).toContain('cannot be used')
    return page
  }, 5_000)
  expect(words).toContain(
    'mine.yaml:3:1 unknown key `timelin`; did you mean `timeline`? The previous version is in use.',
  )
})

test.each([
  ['hapy', 'Did you mean "happy"?'],
  ['next', 'There is no scenario “next”.'],
])('the page of a scenario that is not there, %s, is 404 and says: %s', async (id, words) => {
  const page = await openPage(await startTestEmulator(), `${library}/${id}`)
  expect(page).toMatchObject({ status: 404 })
  expect(page.words).toContain(words)
})

test('the pages stay narrowed to a client when something is made, saved or taken back', async () => {
  const { emulator } = await startFixture()
  await put(emulator, 'mine', 'id: mine\ndescription: of my own\ntimeline: []\n')
  const page = await openPage(emulator, `${library}/mine?clientId=C2`)
  expect((await page.submit('try-it')).path).toMatch(/ui\/orders\/.*\?clientId=C2&/)
  expect((await page.submit('try-it', { 'text:clientId': 'C1' })).words).toContain('mine')
  expect((await page.submit('edit')).path).toMatch(/ui\/scenarios\/mine\?clientId=C2&/)
  expect((await page.submit('take-back')).path).toMatch(/ui\/scenarios\?clientId=C2&/)
})

test('among many clients each default is told', async () => {
  const emulator = await startTestEmulator()
  for (let number = 0; number < 102; number++)
    await emulator.control('/clients', 'POST', {
      clientId: `c${String(number).padStart(3, '0')}`,
      ...(number === 101 ? { defaultScenario: 'overnight' } : {}),
    })
  expect((await openPage(emulator, library)).wordsIn('scenario-overnight')).toContain('default of c101')
})
