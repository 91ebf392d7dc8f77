import { describe, expect, test } from 'vitest'
import { startFixture, startTestEmulator, type TestEmulator } from '../../support/emulator.ts'
import { openPage } from '../../support/page.ts'
import { startReceiver } from '../../support/receiver.ts'

const list = '/_emulator/ui/clients'

async function clientOf(emulator: TestEmulator, clientId: string) {
  return (await emulator.control(`/clients/${encodeURIComponent(clientId)}`)).json
}

describe('the list', () => {
  test('says of each client where its webhooks go and how many orders it has', async () => {
    const { emulator, c1 } = await startFixture({ webhookUrl: 'http://127.0.0.1:9/hook', settings: {} })
    await c1.createCheckout('r1')
    const page = await openPage(emulator, list)
    expect(page.wordsIn('client-C1')).toMatch(
      /^C1 http:\/\/127\.0\.0\.1:9\/hook happy manual 2026-04-21 \S+ 1$/,
    )
    expect(page.wordsIn('client-C2')).toContain('none')
    expect(page.links('1')).toEqual(['/_emulator/ui/orders?clientId=C1'])
  })

  test('comes in pages, and is searched', async () => {
    const emulator = await startTestEmulator()
    for (let n = 10; n < 40; n += 1) await emulator.addClient({ clientId: `shop-${n}` })
    const first = await openPage(emulator, list)
    expect(first.words).not.toContain('shop-39')
    const second = await first.follow('More clients')
    expect(second.words).toContain('shop-39')
    expect(second.words).not.toContain('shop-10')
    const found = await first.submit('search-clients', { search: 'OP-25' })
    expect(found.words).toContain('shop-25')
    expect(found.words).not.toContain('shop-24')
    const nobody = await first.submit('search-clients', { search: 'nobody' })
    expect(nobody.words).toContain('No client matches')
    expect(nobody.links('Show all clients')).toEqual([list])
  })

  test('makes a client, and leads to it', async () => {
    const emulator = await startTestEmulator()
    const page = await (await openPage(emulator, list)).submit('make-client', {
      'text:clientId': 'shop',
      'text:clock.mode': 'real',
    })
    const client = await page.follow('Open shop')
    expect(client.words).toContain('Client shop')
    expect(await clientOf(emulator, 'shop')).toMatchObject({ clock: { mode: 'real' }, webhookUrl: null })
  })

  test('keeps what was typed when it is refused', async () => {
    const { emulator } = await startFixture()
    const page = await (await openPage(emulator, list)).submit('make-client', {
      'text:clientId': 'C1',
      'text:webhookUrl': 'http://127.0.0.1:9/"<b>',
    })
    expect(page.words).toContain('Refused. A client already uses the clientId or access token of "C1".')
    expect(page.html).toContain('<details class="card folded" id="new-client" open="">')
    expect(page.form('make-client').fields).toContainEqual(['text:webhookUrl', 'http://127.0.0.1:9/"<b>'])
  })
})

describe('the page of a client', () => {
  const open = (emulator: TestEmulator, clientId = 'C1') =>
    openPage(emulator, `${list}/${encodeURIComponent(clientId)}`)

  test('folds the secrets away, and has them ready to copy', async () => {
    const { emulator } = await startFixture()
    const page = await open(emulator)
    expect(page.html).toContain('<details class="card folded" id="credentials">')
    expect(page.wordsIn('env')).toContain('PAYMENT_ORDER_API_SECRET=sandbox-secret')
    expect(JSON.parse(page.wordsIn('env-json'))).toMatchObject({
      PAYMENT_ORDER_BASE_URL: emulator.url,
      PAYMENT_ORDER_ACCESS_TOKEN: 'T1',
    })
    const folded = page.wordsIn('credentials')
    const secrets = page.words.split('sandbox-secret').length
    expect(folded.split('sandbox-secret')).toHaveLength(secrets)
  })

  test('counts what the client has', async () => {
    const { emulator, c1 } = await startFixture()
    await c1.createCheckout('r1')
    await c1.createCheckout('r1')
    await c1.settle()
    const { words } = await open(emulator)
    expect(words).toMatch(/Orders 1 .*Requests 2 Refused 1 .*Without a URL 1/)
    expect((await open(emulator)).links('Its requests')).toEqual(['/_emulator/ui/requests?clientId=C1'])
  })

  test('is not there while the pages are narrowed to another client, and says how to see it', async () => {
    const { emulator } = await startFixture()
    const page = await openPage(emulator, '/_emulator/ui/clients/C1?clientId=C2')
    expect(page.status).toBe(404)
    expect((await page.follow('Show C1')).words).toContain('C1')
  })

  test('follows what happens to the client', async () => {
    const { emulator } = await startFixture()
    expect((await open(emulator)).html).toContain('data-refreshes')
  })

  test('sets the webhook URL, and takes it away', async () => {
    const { emulator } = await startFixture()
    const set = await (await open(emulator)).submit('url-C1', {
      'text:webhookUrl': 'http://127.0.0.1:9/new',
    })
    expect(await clientOf(emulator, 'C1')).toMatchObject({ webhookUrl: 'http://127.0.0.1:9/new' })
    await set.submit('clear-webhook-url')
    expect(await clientOf(emulator, 'C1')).toMatchObject({ webhookUrl: null })
  })

  test('says that an endpoint that answered 410 gets nothing more, and starts anew with the same URL', async () => {
    const receiver = await startReceiver()
    receiver.answerWith({ status: 410 }, {})
    const { emulator, c1 } = await startFixture({ webhookUrl: receiver.url })
    await c1.createCheckout('r1')
    await c1.settle()
    const page = await open(emulator)
    expect(page.words).toContain('paused The endpoint has answered 410')
    await page.submit('url-C1')
    expect((await clientOf(emulator, 'C1')).webhookPaused).toBeUndefined()
  })

  test('rotates the webhook secret, and says until when both are used', async () => {
    const { emulator, c1 } = await startFixture()
    const page = await open(emulator)
    expect(page.form('rotate-webhook-secret').fields).toContainEqual([
      'action',
      expect.stringContaining('/clients/C1/rotate-webhook-secret'),
    ])
    const rotated = await page.submit('rotate-webhook-secret', { 'text:overlap': '2h' })
    expect(rotated.words).toContain('Until 2026-04-21 18:00:00 , each webhook has two signatures')
    expect((await clientOf(emulator, 'C1')).webhookSecret).not.toBe(c1.webhookSecret)
    expect((await openPage(emulator, '/_emulator/ui/clients')).words).toContain('C1 rotating')
    await c1.advance('2h')
    expect((await open(emulator)).words).toMatch(/signed with the new secret only since 2026-04-21 18:00:00/)
    const refused = await page.submit('rotate-webhook-secret', { 'text:webhookSecret': 'secret' })
    expect(refused.words).toContain('must be `whsec_` followed by base64')
  })

  test('chooses another scenario; one that is not there is refused, and stays typed', async () => {
    const { emulator } = await startFixture()
    const page = await open(emulator)
    await page.submit('default-scenario', { 'text:defaultScenario': 'fail-9004' })
    expect(await clientOf(emulator, 'C1')).toMatchObject({ defaultScenario: 'fail-9004' })
    const refused = await page.submit('default-scenario', { 'text:defaultScenario': 'fail-904' })
    expect(refused.words).toContain('Did you mean "fail-9004"?')
    expect(refused.form('default-scenario').fields).toContainEqual(['text:defaultScenario', 'fail-904'])
  })

  test('holds its webhooks, and releases them', async () => {
    const { emulator } = await startFixture()
    const held = await (await open(emulator)).submit('hold')
    expect(await clientOf(emulator, 'C1')).toMatchObject({ holds: [{}] })
    const released = await held.submit('release')
    expect((await clientOf(emulator, 'C1')).holds).toBeUndefined()
    expect(released.words).toContain('Hold all its webhooks')
  })

  test('empties its world, and deletes it, each behind a step that says what goes', async () => {
    const { emulator, c1 } = await startFixture()
    await c1.createCheckout('r1')
    const page = await open(emulator)
    expect(page.wordsIn('confirm-delete')).toContain('deletes the client and all its data')
    await page.submit('reset-world')
    expect((await emulator.control('/orders?clientId=C1')).items).toEqual([])
    const after = await page.submit('delete-client')
    expect(after.path).toMatch(/^\/_emulator\/ui\/clients\?/)
    expect((await emulator.control('/clients')).text).not.toContain('"C1"')
  })

  test('of nobody says so', async () => {
    const page = await open(await startTestEmulator(), 'nobody')
    expect(page.status).toBe(404)
    expect(page.words).toContain('No client has the clientId "nobody".')
  })

  test('whatever a client is called, it is text, and every link and form finds it', async () => {
    const emulator = await startTestEmulator()
    const clientId = '"><script>alert(1)</script>{clientId}/..?&#'
    await emulator.addClient({ clientId, webhookUrl: "http://127.0.0.1:9/'-alert(1)-'" })
    const { html, links } = await openPage(emulator, list).then((page) => ({
      html: page.html,
      links: page.links(clientId),
    }))
    expect(html).not.toMatch(/<script>|<img/)
    const page = await openPage(emulator, links[0] ?? '')
    expect(page.html).not.toMatch(/<script>|<img/)
    await page.submit('clear-webhook-url')
    expect(await clientOf(emulator, clientId)).toMatchObject({ webhookUrl: null })
  })
})
