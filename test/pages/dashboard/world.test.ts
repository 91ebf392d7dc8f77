import { describe, expect, test } from 'vitest'
import { startFixture, startTestEmulator, type TestEmulator } from '../../support/emulator.ts'
import { openPage, Page, showCommands } from '../../support/page.ts'

const world = '/_emulator/ui/world'

const clientIds = async (emulator: TestEmulator) =>
  (await emulator.control('/clients')).items.map(({ clientId }) => clientId)

test('it says what runs and how much it holds', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('r1')
  const { words } = await openPage(emulator, world)
  expect(words).toContain('Seed test Database in memory, lost when the emulator stops')
  expect(words).toMatch(/Clients 3 Orders 1 /)
  const narrow = await openPage(emulator, `${world}?clientId=C2`)
  expect(narrow.words).toMatch(/Data of C2 .*Clients 1 Orders 0 /)
})

describe('a fixture', () => {
  test('that ships is loaded by a button; once it is here, the button replaces it', async () => {
    const emulator = await startTestEmulator()
    const page = await (await openPage(emulator, world)).submit('load-empty')
    expect(page.links('shop')).toEqual(['/_emulator/ui/orders?clientId=shop'])
    await emulator.control('/clients/shop', 'PATCH', { apiSecret: 'changed' })
    expect(page.wordsIn('confirm-empty')).toContain('Loading the fixture replaces them and all their data.')
    await page.submit('load-empty')
    expect((await emulator.control('/clients/shop')).json.apiSecret).toBe('shop-secret')
  })

  test('that ships can be read, changed and loaded', async () => {
    const emulator = await startTestEmulator()
    const page = await openPage(emulator, `${world}?fixture=empty`)
    const [, text = ''] = page.form('load-text').fields.find(([name]) => name === 'yaml:') ?? []
    expect(text).toContain('clientId: shop')
    await page.submit('load-text', { 'yaml:': text.replace('shop\n', 'mine\n').replace(/shop$/, 'mine') })
    expect(await clientIds(emulator)).toContain('mine')
  })

  test('that is wrong is refused with its line, and stays typed, markup and all', async () => {
    const emulator = await startTestEmulator()
    const text = 'clients:\n  - clientId: </textarea><script>alert(1)</script>\n    orderz: []'
    const page = await (await openPage(emulator, world)).submit('load-text', { 'yaml:': text })
    expect(page.words).toContain('body:3:5')
    expect(page.html).not.toContain('<script>alert')
    expect(page.form('load-text').fields).toContainEqual(['yaml:', text])
  })

  test('that is not there has no page', async () => {
    const page = await openPage(await startTestEmulator(), `${world}?fixture=nonsense`)
    expect(page.status).toBe(404)
  })
})

describe('a snapshot', () => {
  const upload = async (emulator: TestEmulator, parts: Readonly<Record<string, string | File>>) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(parts)) form.append(name, value)
    const sent = new Response(form)
    const { headers } = await emulator.send('/_emulator/ui/restore', {
      method: 'POST',
      headers: { 'content-type': sent.headers.get('content-type'), accept: 'text/html' },
      body: new Uint8Array(await sent.arrayBuffer()),
    })
    return openPage(emulator, String(headers.location))
  }
  const fileOf = (text: string) => new File([text], 'snapshot.json', { type: 'application/json' })

  test('is saved by a link and restored by uploading it', async () => {
    const { emulator, c1 } = await startFixture()
    await c1.createCheckout('r1')
    const page = await openPage(emulator, world)
    const [link = ''] = page.links('Save everything')
    const { text } = await emulator.send(link, { method: 'GET' })
    await emulator.control('/clients/C1', 'DELETE')
    const restored = await upload(emulator, { back: world, snapshot: fileOf(text) })
    expect(restored.words).toContain('Done. PUT /_emulator/snapshot answered 200.')
    expect(restored.wordsIn('note-curl')).toContain("--data-binary '@snapshot.json'")
    expect((await c1.order('r1')).requestId).toBe('r1')
  })

  test('is read by a command into the very file that the command for restoring reads', async () => {
    const emulator = await startTestEmulator()
    const page = await openPage(emulator, `${world}?clientId=demo-client`, await showCommands(emulator))
    expect(page.html).toContain('download="snapshot-demo-client.json"')
    expect(page.words).toMatch(/snapshot\?clientId=demo-client' .* 'snapshot-demo-client.json'/)
    expect(page.wordsIn('restore')).toContain("'@snapshot-demo-client.json'")
  })

  test('of one client touches no other', async () => {
    const { emulator, c1 } = await startFixture()
    const page = await openPage(emulator, `${world}?clientId=C1`)
    const [link = ''] = page.links('Save the data of C1')
    const { text } = await emulator.send(link, { method: 'GET' })
    await c1.createCheckout('r1')
    await emulator.control('/clients/C2', 'PATCH', { defaultScenario: 'fail-9004' })
    await upload(emulator, { back: world, clientId: 'C1', snapshot: fileOf(text) })
    expect((await emulator.control('/orders?clientId=C1')).items).toEqual([])
    expect((await emulator.control('/clients/C2')).json.defaultScenario).toBe('fail-9004')
  })

  test.each([
    ['that is none', { snapshot: fileOf('{"format":"other"}') }, 'nothing was changed: format: expected'],
    ['that is no JSON', { snapshot: fileOf('<script>') }, 'Refused. The body must be a JSON object'],
    ['that is empty', { snapshot: fileOf('') }, 'No file was selected.'],
    ['that is left out', { back: world }, 'No file was selected.'],
  ])('%s is refused, and nothing is changed', async (_, parts, words) => {
    const { emulator } = await startFixture()
    const page = await upload(emulator, { back: world, ...parts })
    expect(page.words).toContain(words)
    expect(await clientIds(emulator)).toEqual(['demo-client', 'C1', 'C2'])
  })

  test('leads back nowhere but to a page of the dashboard', async () => {
    const page = await upload(await startTestEmulator(), { back: 'https://evil.example/' })
    expect(page.path).toMatch(/^\/_emulator\/\?note=/)
  })

  test('in a form that is none is refused in words', async () => {
    const emulator = await startTestEmulator()
    const answer = await emulator.send('/_emulator/ui/restore', {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x', accept: 'text/html' },
      body: 'nothing of the kind',
    })
    expect(answer.status).toBe(400)
    expect(new Page(emulator, '', answer).words).toContain('This form contains no file.')
  })
})

describe('a reset', () => {
  test('keeps what it is told to keep, by default the clients', async () => {
    const { emulator, c1 } = await startFixture()
    await c1.createCheckout('r1')
    const page = await openPage(emulator, world)
    await page.submit('reset-world')
    expect((await emulator.control('/orders')).items).toEqual([])
    expect(await clientIds(emulator)).toEqual(['demo-client', 'C1', 'C2'])
    await page.submit('reset-world', { 'list:keep': '' })
    expect(await clientIds(emulator)).toEqual(['demo-client'])
  })

  test('of one client leaves the others', async () => {
    const { emulator, c1, c2 } = await startFixture()
    await c1.createCheckout('r1')
    await c2.createCheckout('r2')
    await (await openPage(emulator, `${world}?clientId=C1`)).submit('reset-world')
    expect((await emulator.control('/orders')).items.map(({ requestId }) => requestId)).toEqual(['r2'])
  })
})
