import { createHmac } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import type { ClientFields } from '../../support/client.ts'
import { startTestEmulator } from '../../support/emulator.ts'
import { openPage } from '../../support/page.ts'
import { startReceiver } from '../../support/receiver.ts'

const emulator = await startTestEmulator({}, afterAll)
const ui = '/_emulator/ui/deliveries'
const open = (path: string) => openPage(emulator, path)

/** A client with a receiver of its own. */
async function given(fields: ClientFields = {}) {
  const receiver = await startReceiver()
  const client = await emulator.addClient({ webhookUrl: receiver.url, ...fields })
  const list = (query = '') => open(`${ui}?clientId=${client.clientId}${query}`)
  const only = async () => {
    const [delivery, ...others] = await client.deliveries()
    if (delivery === undefined || others.length > 0) throw new Error('not exactly one delivery')
    return String(delivery.id)
  }
  return { client, receiver, list, only }
}

test('without a webhook URL the list says so, takes one, and tells the service’s own call', async () => {
  const { client, list } = await given({ webhookUrl: null })
  const page = await list()
  expect(page.words).toContain(`${client.clientId} has no webhook URL`)
  expect(page.words).toContain('/v1/client/webhook-url')
  expect(page.words).toContain(`--client '${client.clientId}' is one`)
  const after = await page.submit(`url-${client.clientId}`, { 'text:webhookUrl': 'http://127.0.0.1:9/hook' })
  expect(after.words).not.toContain('has no webhook URL')
  const { json } = await emulator.control(`/clients/${client.clientId}`)
  expect(json.webhookUrl).toBe('http://127.0.0.1:9/hook')
})

test('what would have been sent without a URL is shown, byte for byte', async () => {
  const { client, list } = await given({ webhookUrl: null })
  await client.createCheckout('r1')
  await client.settle()
  const page = await (await list()).follow('r1')
  expect(page.words).toContain('No webhook URL was registered when it was due')
  const [delivery] = await client.deliveries()
  expect(page.wordsIn('body-text')).toBe(delivery?.bodyText)
})

test('an answer that a scenario overrode is shown as that, in amber, wherever the attempt stands', async () => {
  const { client, receiver, list } = await given()
  receiver.answerWith({ status: 204 })
  await emulator.control('/scenarios/overrides', 'PUT', {
    id: 'overrides',
    description: 'x',
    timeline: [],
    webhooks: [{ countAs: 500 }],
  })
  const next = { scenario: 'overrides', clientId: client.clientId }
  await emulator.control('/scenarios/next', 'POST', next)
  await client.createCheckout('r-overridden')
  await client.settle()
  const words = 'your app answered 204, treated as 500 by the scenario'
  const amber = `<span class="status waiting wraps">${words}</span>`
  const page = await list()
  expect(page.html).toContain(amber)
  const detail = await page.follow('r-overridden')
  expect(detail.html.split(amber)).toHaveLength(3)
  const { orderId } = Object(await client.order('r-overridden'))
  const order = await open(`/_emulator/ui/orders/${orderId}`)
  expect(order.html).toContain(amber)
  expect(order.words).toContain(`attempt 1: ${words}`)
  for (const { words: all } of [page, detail, order])
    expect(all).not.toMatch(/refused \(?500|last refused|Status 500/)
})

test('the list shows how the latest attempt ended, newest first, and filters by that', async () => {
  const { client, receiver, list } = await given()
  receiver.answerWith({ status: 500 }, {})
  await client.createCheckout('r-bad')
  await client.settle()
  await client.createCheckout('r-good')
  await client.settle()
  const { words } = await list()
  expect(words).toMatch(/r-good CREATED delivered 1 accepted 200 .*r-bad CREATED pending 1 refused 500/)
  const refused = await (await list()).submit('filters', { outcome: 'refused' })
  expect(refused.links('r-bad')).toHaveLength(1)
  expect(refused.links('r-good')).toEqual([])
  expect(refused.path).toContain(`clientId=${client.clientId}`)
})

test('the list is paged by cursor, and keeps its filter on the way', async () => {
  const { client, list } = await given()
  for (let n = 0; n < 51; n++)
    await emulator.control('/deliveries', 'POST', {
      clientId: client.clientId,
      body: `{"requestId":"r${n}"}`,
    })
  const first = await list('&status=delivered')
  expect(first.links('r50')).toHaveLength(1)
  expect(first.links('r0')).toEqual([])
  const second = await first.follow('Older')
  expect(second.path).toMatch(/status=delivered&cursor=/)
  expect(second.links('r0')).toHaveLength(1)
  expect(second.links('r50')).toEqual([])
})

test('a filter that nothing can fit is refused in words, with the filters still there', async () => {
  const { list } = await given()
  const page = await list('&status=nonsense')
  expect(page.status).toBe(200)
  expect(page.words).toContain('status')
  expect(page.words).toContain('nonsense')
  expect(page.form('filters').fields.map(([name]) => name)).toContain('orderStatus')
})

test('a hold made on the page is shown while it is in force, and released there', async () => {
  const { client, receiver, list } = await given()
  const held = await (await list()).submit('hold-form', { 'text:where.requestId': 'r1' })
  expect(held.words).toContain(`On hold: webhooks with requestId r1 of ${client.clientId}`)
  await client.createCheckout('r1')
  await client.settle()
  const page = await (await list()).follow('Held webhooks')
  expect(page.links('r1')).toHaveLength(1)
  expect(receiver.requests).toEqual([])
  const id = /id="(hold-[^"]*-release)"/.exec(page.html)?.[1] ?? ''
  expect((await page.submit(id)).words).not.toContain('On hold')
  await client.settle()
  expect(receiver.requests).toHaveLength(1)
})

test('an endpoint that answered 410 is shown as paused, and setting its URL again lets webhooks leave', async () => {
  const { client, receiver, list } = await given()
  receiver.answerWith({ status: 410 }, {})
  await client.createCheckout('r1')
  await client.settle()
  const page = await list()
  expect(page.words).toContain('answered 410 (gone)')
  const after = await page.submit(`url-${client.clientId}`)
  expect(after.words).not.toContain('answered 410 (gone)')
  await client.advance('1m')
  expect(receiver.requests.length).toBeGreaterThan(1)
})

test('a webhook sent by hand wrong in several ways shows each attempt and what was wrong', async () => {
  const { client, receiver } = await given()
  const form = await open(`${ui}/send?clientId=${client.clientId}`)
  const sent = await form.submit('send-text', {
    'text:body': '{"requestId":"by-hand"}',
    'json:sign': '"wrong"',
    'boolean:tamper': 'true',
    'number:copies': '2',
  })
  expect(sent.words).toMatch(/Sent: del_\S+ .*1 .* accepted 200 .*2 .* accepted 200/)
  expect(receiver.requests).toHaveLength(2)
  const [delivery] = await client.deliveries()
  const page = await sent.follow(String(delivery?.id))
  expect(page.words).toContain('Signed with another key.')
  expect(page.words).toContain('One byte of the body was changed after signing.')
  expect(page.words).toContain('The signature is invalid')
  expect(page.wordsIn('sent-text')).toBe(receiver.requests[0]?.text)
})

test('a form that the control API refuses says why and keeps what was typed', async () => {
  const { client } = await given()
  const form = await open(`${ui}/send?clientId=${client.clientId}`)
  const refused = await form.submit('send-event', { 'text:event.requestId': 'nobody-knows' })
  expect(refused.words).toContain('Refused.')
  expect(refused.words).toContain('event.orderId')
  expect(refused.form('send-event').fields).toContainEqual(['text:event.requestId', 'nobody-knows'])
})

test('the signature that a receiver has to find is worked out step by step', async () => {
  const { client, receiver, only } = await given()
  await client.createCheckout('r1')
  await client.settle()
  const page = await open(`${ui}/${await only()}`)
  const [received] = receiver.requests
  expect(page.words).toContain('The signature is valid')
  expect(page.wordsIn('computed-signature')).toBe(received?.headers['webhook-signature'])
  expect(page.html).not.toContain(client.webhookSecret.replace('whsec_', ''))
  const content = `${received?.headers['webhook-id']}.${received?.headers['webhook-timestamp']}.${received?.text}`
  expect(page.wordsIn('verify-command')).toContain(content)
  const key = Buffer.from(client.webhookSecret.replace('whsec_', ''), 'base64')
  const own = createHmac('sha256', key).update(content).digest('base64')
  expect(page.wordsIn('computed-signature')).toBe(`v1,${own}`)
})

test('after a change of the secret the page says that the signature no longer fits', async () => {
  const { client, only } = await given()
  await client.createCheckout('r1')
  await client.settle()
  await client.change({ webhookSecret: 'whsec_b3RoZXItd2ViaG9vay1zZWNyZXQ=' })
  expect((await open(`${ui}/${await only()}`)).words).toContain('The signature is invalid')
})

test('when and why it is tried again is told, with the waits that come', async () => {
  const { client, receiver, only } = await given({
    settings: { 'webhook.retry.base': '10s', 'webhook.retry.max': 3 },
  })
  receiver.answerWith({ status: 503, body: 'come back <later>' })
  await client.createCheckout('r1')
  await client.settle()
  const id = await only()
  const { words } = await open(`${ui}/${id}`)
  expect(words).toMatch(/Next try at 2026-04-21 16:00:10 ?\. Attempt 1 of 4 failed/)
  expect(words).toContain('Next delays: 10 s, 20 s, 40 s.')
  expect(words).toContain('come back <later>')
})

test('resend and hold on a delivery’s page do what they say', async () => {
  const { client, receiver, only } = await given()
  receiver.answerWith({ status: 500 }, {})
  await client.createCheckout('r1')
  await client.settle()
  const held = await (await open(`${ui}/${await only()}`)).submit('hold')
  expect(held.words).toContain(`On hold: webhooks with id ${await only()}`)
  const resent = await held.submit('resend')
  expect(resent.wordsIn('note')).toContain('Attempt 2 is being sent.')
})

test('an earlier attempt is looked at by its own link', async () => {
  const { client, receiver, only } = await given()
  receiver.answerWith({ status: 500, body: 'first' }, { status: 200, body: 'second' })
  await client.createCheckout('r1')
  await client.advance('1s')
  const page = await open(`${ui}/${await only()}`)
  expect(page.wordsIn('answer-text')).toBe('second')
  expect((await page.follow('1')).wordsIn('answer-text')).toBe('first')
})

test('what a token in a body says is shown, once', async () => {
  const { client, only } = await given({ settings: { 'webhook.format': 'jwt' } })
  await client.createCheckout('r1')
  await client.settle()
  const page = await open(`${ui}/${await only()}`)
  expect(page.wordsIn('claims')).toContain('"requestId":"r1"')
  expect(page.wordsIn('claims')).not.toContain('payload')
})

test('a body of a megabyte makes a page of a few hundred kilobytes, with a way to all of it', async () => {
  const { client, only } = await given()
  await emulator.control('/deliveries', 'POST', { clientId: client.clientId, body: '<'.repeat(1_000_000) })
  const page = await open(`${ui}/${await only()}`)
  expect(page.html.length).toBeLessThan(400_000)
  expect(page.words).toContain('the first 65,536 of 1,000,000 characters')
  expect(page.links('The full text, as JSON')).toEqual([`/_emulator/deliveries/${await only()}`])
})

test('the command that repeats an attempt takes a body that begins with @ as text, not as a file', async () => {
  const { client, only } = await given()
  await emulator.control('/deliveries', 'POST', {
    clientId: client.clientId,
    body: "@/etc/passwd it's",
    headers: { 'x-empty': '' },
  })
  const words = (await open(`${ui}/${await only()}`)).wordsIn('repeat-command')
  expect(words).toContain("--data-raw '@/etc/passwd it'\\''s'")
  expect(words).toContain("-H 'x-empty;'")
})

test('what a browser would change when it is copied comes through a pipe instead', async () => {
  const { client, only } = await given()
  await emulator.control('/deliveries', 'POST', { clientId: client.clientId, body: 'a\r\nb' })
  const page = await open(`${ui}/${await only()}`)
  expect(page.wordsIn('repeat-command')).toMatch(/\| jq -j '.*bodyText' \| curl .* --data-binary @-/)
  expect(page.links('The exact text, as JSON')).toEqual([`/_emulator/deliveries/${await only()}`])
  expect(page.html).not.toContain('verify-command')
})

test('what somebody put into a webhook is text on every page of it', async () => {
  const bad = '"><img src=x onerror=alert(1)>'
  const { client, receiver, list, only } = await given()
  receiver.answerWith({ status: 400, body: bad })
  const body = JSON.stringify({
    requestId: bad,
    orderStatus: bad,
    orderId: bad,
    orderType: bad,
    eventType: bad,
  })
  await emulator.control('/deliveries', 'POST', {
    clientId: client.clientId,
    body,
    headers: { 'x-bad': bad },
  })
  for (const page of [await list(), await open(`${ui}/${await only()}`)]) {
    expect(page.html).not.toContain('<img')
    expect(page.words).toContain(bad)
  }
})

test('a delivery of another client is not shown within one’s scope', async () => {
  const { client, only } = await given()
  const other = await emulator.addClient()
  await client.createCheckout('r1')
  await client.settle()
  const page = await open(`${ui}/${await only()}?clientId=${other.clientId}`)
  expect(page.status).toBe(404)
})

test('a changed copy begins with the client and the whole body, however long it is', async () => {
  const { client } = await given()
  const body = 'ह'.repeat(1_900)
  const { json } = await emulator.control('/deliveries', 'POST', { clientId: client.clientId, body })
  const page = await (await open(`${ui}/${String(json.id)}`)).follow('Send a changed copy')
  const { fields } = page.form('send-text')
  expect(fields).toContainEqual(['text:clientId', client.clientId])
  expect(fields).toContainEqual(['text:body', body])
})

test('a webhook by hand never goes to another client than the one named', async () => {
  const page = await open(`${ui}/send?of=gone`)
  const sent = await page.submit('send-text', { 'text:body': '{}' })
  expect(page.form('send-text').fields).toContainEqual(['text:clientId', 'gone'])
  expect(sent.wordsIn('send-text-refusal')).toContain('gone')
})

test('chosen webhooks are sent again together, and without a choice the form says so', async () => {
  const { client, receiver, list } = await given()
  await client.createCheckout('r1')
  await client.advance('10s')
  const page = await list()
  const chosen = [
    ...page.html.matchAll(
      /<input type="checkbox"[^>]* form="resend-chosen" name="item:ids" value="([^"]+)"/g,
    ),
  ]
  expect(chosen).toHaveLength(2)
  const { fields } = page.form('resend-chosen')
  const ids = chosen.map(([, id = '']): [string, string] => ['item:ids', id])
  const before = receiver.requests.length
  const send = (form: readonly (readonly [string, string])[]) =>
    emulator.send('/_emulator/ui/act', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
      body: new URLSearchParams(form.map(([name, value]): [string, string] => [name, value])).toString(),
    })
  await send([...fields, ...ids])
  await expect.poll(() => receiver.requests.length).toBe(before + 2)
  const refused = await send(fields)
  expect((await open(String(refused.headers.location))).wordsIn('resend-chosen')).toContain('ids: ')
})

test('a signature by a recipe of the settings is worked out by it', async () => {
  const { client, receiver, only } = await given({
    settings: {
      'webhook.signature': {
        header: 'x-pay',
        format: 't=${timestamp},v1=${signature}',
        signed: '${timestamp}.${body}',
      },
    },
  })
  await client.createCheckout('r1')
  await client.settle()
  const page = await open(`${ui}/${await only()}`)
  const [received] = receiver.requests
  const time = /^t=(\d+),/.exec(String(received?.headers['x-pay']))?.[1]
  const content = `${time}.${received?.text}`
  const own = createHmac('sha256', client.webhookSecret).update(content).digest('hex')
  expect(page.words).toContain('The signature is valid')
  expect(page.words).toContain('HMAC-SHA256 in hex; the header reads t=${timestamp},v1=${signature}')
  expect(page.wordsIn('computed-signature')).toBe(`v1=${own}`)
  expect(page.wordsIn('verify-command')).toContain(content)
  expect(page.wordsIn('verify-command')).toContain('-hmac "$PAYMENT_ORDER_WEBHOOK_SECRET"')
})
