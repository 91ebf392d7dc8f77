import { createHmac } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { startTestEmulator } from '../../support/emulator.ts'
import { openPage } from '../../support/page.ts'

const emulator = await startTestEmulator({}, afterAll)
const ui = '/_emulator/ui/requests'
const open = (path: string) => openPage(emulator, path)
const pageOf = (answer: { headers: Readonly<Record<string, unknown>> }) =>
  open(`${ui}/${String(answer.headers['emulator-request-id'])}`)

test('before the first call the list says what to do', async () => {
  const { clientId } = await emulator.addClient()
  expect((await open(`${ui}?clientId=${clientId}`)).words).toContain('No requests yet')
})

test('the list names operation, status and cause, and shows only what was refused at one click', async () => {
  const client = await emulator.addClient()
  await client.createCheckout('r-good')
  await client.createCheckout('r-bad', { signed: 'fiatAmount=10&requestId=r-bad' })
  const all = await open(`${ui}?clientId=${client.clientId}`)
  expect(all.words).toMatch(/401 r-bad signature\.amount-spelling [A-Za-z]/)
  expect(all.words).toMatch(/200 r-good signature form: short/)
  const refused = await all.follow('Only rejected')
  expect(refused.wordsIn('live')).toContain('r-bad')
  expect(refused.wordsIn('live')).not.toContain('r-good')
  expect((await refused.follow('Show all')).wordsIn('live')).toContain('r-good')
})

test('a request is found in a log of one’s own by the time on the wall', async () => {
  const client = await emulator.addClient()
  const answer = await client.createCheckout('r1')
  const list = await open(`${ui}?clientId=${client.clientId}`)
  expect(list.html).toMatch(new RegExp(`wall-clock time ${new Date().toISOString().slice(0, 10)}T`))
  expect(answer.status).toBe(200)
})

test('of a wrong key it is not said that the string is unknown', async () => {
  const client = await emulator.addClient()
  const text = `fiatAmount=${client.checkout('r-key').fiatAmount}&requestId=r-key`
  const signature = createHmac('sha256', client.webhookSecret).update(text).digest('base64')
  const page = await pageOf(await client.createCheckout('r-key', { headers: { signature } }))
  expect(page.words).toContain('signature.key-')
  expect(page.words).toContain('The string was right, but the key was wrong.')
  expect(page.words).not.toContain('could not be found out')
})

test.each([
  ['status', '4*', 'r-bad'],
  ['status', '2*', 'r-good'],
  ['diagnosis.cause', 'token', 'nothing'],
  ['diagnosis.cause', 'signature.am', 'r-bad'],
  ['search', '-GOO', 'r-good'],
])('filtered by %s %s the list has %s', async (name, value, shown) => {
  const client = await emulator.addClient()
  await client.createCheckout('r-good')
  await client.createCheckout('r-bad', { signed: 'fiatAmount=10&requestId=r-bad' })
  const list = await open(`${ui}?clientId=${client.clientId}`)
  const words = (await list.submit('filters', { [name]: value })).wordsIn('live')
  expect(['r-good', 'r-bad'].filter((requestId) => words.includes(requestId))).toEqual(
    shown === 'nothing' ? [] : [shown],
  )
})

test('the diagnosis comes first: what is wrong, what to do, and where the strings part', async () => {
  const client = await emulator.addClient()
  const page = await pageOf(await client.createCheckout('r1', { signed: 'fiatAmount=10&requestId=r1' }))
  expect(page.wordsIn('live')).toMatch(/^Refused: signature\.amount-spelling signature: you signed/)
  expect(page.words).toContain('Format the amount once, as text, and use that text for both.')
  expect(page.html).toMatch(/id="string-to-sign">fiatAmount=10<mark>\.00<\/mark>&amp;requestId=r1</)
  expect(page.wordsIn('signed-string')).toMatch(/^fiatAmount=10 ∅ +&requestId=r1$/)
})

test('what nobody can see in a string is made visible', async () => {
  const client = await emulator.addClient()
  const page = await pageOf(await client.createCheckout('r1', { signed: 'fiatAmount=10.00&requestId=r1\n' }))
  expect(page.html).toMatch(/<mark><span class="sign" title="line feed">␊<\/span><\/mark>/)
})

test('two Unicode forms that look alike are told apart by their numbers', async () => {
  const client = await emulator.addClient()
  const signed = 'fiatAmount=10.00&requestId=cafe\u0301'
  const page = await pageOf(await client.createCheckout('caf\u00e9', { signed }))
  expect(page.words).toContain('signature.unicode-form')
  expect(page.wordsIn('string-to-sign')).toContain('‹U+00E9›')
  expect(page.wordsIn('signed-string')).toContain('‹U+0301›')
})

test('a cause leads to what it means, and from there to the requests that had it', async () => {
  const client = await emulator.addClient()
  const page = await pageOf(await client.createCheckout('r1', { headers: { 'access-token': null } }))
  const [link] = page.links('token.missing')
  expect(link).toMatch(/^\/_emulator\/ui\/causes.*#token\.missing$/)
  const causes = await page.follow('token.missing')
  expect(causes.wordsIn('token.missing')).toContain('Send the header')
  expect((await causes.follow('token.missing')).words).toContain('create-checkout-order')
})

test('the call is offered signed right, with its secrets as variables only', async () => {
  const client = await emulator.addClient()
  const page = await pageOf(await client.createCheckout("it's", { signed: 'nothing like it' }))
  const command = page.wordsIn('repeat-right')
  expect(command).toContain('-H "access-token: $PAYMENT_ORDER_ACCESS_TOKEN"')
  expect(command).toContain(
    `printf %s 'fiatAmount=10.00&requestId=it'\\''s' | openssl dgst -sha256 -hmac "$PAYMENT_ORDER_API_SECRET"`,
  )
  expect(page.html).not.toContain(client.apiSecret)
  expect(page.html).not.toContain(client.accessToken)
  expect(page.words).toContain('Secrets are masked')
})

test('of a call that was signed right there is only the call as it was', async () => {
  const client = await emulator.addClient()
  const page = await pageOf(await client.createCheckout('r1'))
  expect(page.html).not.toContain('id="repeat-right"')
  expect(page.wordsIn('repeat-same')).toContain('-X POST')
})

test('a long body is shown as far as the journal keeps it, and no command pretends to repeat it', async () => {
  const client = await emulator.addClient()
  const page = await pageOf(
    await client.createCheckout(client.checkout('r1', { userMessage: 'x'.repeat(20_000) })),
  )
  expect(page.words).toContain('The request log stores only the beginning of long bodies.')
  expect(page.words).toContain('there is no command for it')
})

test('the next call like this fails as planned on the page', async () => {
  const client = await emulator.addClient()
  const page = await pageOf(await client.fiatOrders('r1'))
  const planned = await page.submit('fail-next', { 'number:effect.status': '502', 'number:times': '1' })
  expect(planned.words).toContain('Done.')
  const statuses = [(await client.fiatOrders('r1')).status, (await client.fiatOrders('r1')).status]
  expect(statuses).toEqual([502, 200])
})

test('the form for other faults knows which call and which requestId it is about', async () => {
  const client = await emulator.addClient()
  const page = await pageOf(await client.fiatOrders('r7'))
  const { fields } = (await page.follow('Other faults: late, hanging, cut, reset')).form('plan-status')
  expect(fields).toContainEqual(['text:on', 'orders'])
  expect(fields).toContainEqual(['text:where.requestId', 'r7'])
})

test('a fault that was played is noted', async () => {
  const client = await emulator.addClient()
  const { clientId } = client
  await emulator.control('/faults', 'POST', { clientId, on: 'orders', effect: { status: 503 } })
  expect((await pageOf(await client.fiatOrders('r1'))).words).toContain('fault: orders before, 503')
})

test('how many entries have given way is said', async () => {
  expect((await open(ui)).wordsIn('pruned')).toMatch(/^(No request has been replaced yet|\d+ older)/)
})

test('what somebody sent is text on every page of it', async () => {
  const bad = '<img src=x onerror=alert(1)>'
  const client = await emulator.addClient()
  const answer = await client.post(`/v1/${encodeURIComponent(bad)}?q=${encodeURIComponent(bad)}`, bad, {
    headers: { 'x-bad': bad },
  })
  const page = await pageOf(answer)
  expect(page.words).toContain(bad)
  for (const { html } of [page, await open(ui)]) expect(html).not.toContain('<img')
})

test('a request of another client is not shown within one’s scope', async () => {
  const client = await emulator.addClient()
  const other = await emulator.addClient()
  const { headers } = await client.createCheckout('r1')
  const page = await open(`${ui}/${String(headers['emulator-request-id'])}?clientId=${other.clientId}`)
  expect(page.status).toBe(404)
})
