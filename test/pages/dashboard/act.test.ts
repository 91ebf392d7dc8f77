import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestEmulator, type TestEmulator } from '../../support/emulator.ts'
import { openPage } from '../../support/page.ts'

let emulator: TestEmulator

beforeAll(async () => {
  emulator = await startTestEmulator({}, afterAll)
})

const action = (call: object = {}) => JSON.stringify({ method: 'POST', path: '/fixtures', ...call })

function submit(path: 'act' | 'curl', fields: readonly (readonly [string, string])[]) {
  return emulator.send(`/_emulator/ui/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    body: fields.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&'),
  })
}

/** The command that a form stands for. */
const commandOf = async (...fields: (readonly [string, string])[]) =>
  (await submit('curl', [['action', action()], ...fields])).text

test.each<[string, (readonly [string, string])[], RegExp]>([
  ['a name of half a million levels', [[`text:${Array(400_000).fill('a').join('.')}`, '1']], /64 levels/],
  ['too many fields', Array.from({ length: 40_000 }, (_, n) => [`text:a.${n}`, '1'] as const), /at most 500/],
  ['JSON of many levels', [['json:a', `${'['.repeat(100_000)}${']'.repeat(100_000)}`]], /64 levels/],
])('a form with %s is refused at once', async (_, fields, words) => {
  const begunMs = performance.now()
  const { status, text } = await submit('curl', [['action', action()], ...fields])
  expect([status, text]).toEqual([400, expect.stringMatching(words)])
  expect(performance.now() - begunMs).toBeLessThan(2_000)
})

test.each([
  ['a percent sign of its own', 'action=50%', 'action: has a % without two hexadecimal digits'],
  ['Latin-1 in escapes', 'action=caf%E9', 'action: is not valid UTF-8'],
  ['Latin-1', Buffer.from('action=café', 'latin1'), 'the form is not valid UTF-8'],
])('a form with %s is refused', async (_, body, words) => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' }
  for (const path of ['act', 'curl', 'token']) {
    const answer = await emulator.send(`/_emulator/ui/${path}`, { method: 'POST', headers, body })
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(words)])
  }
})

test.each(['ui/orders/%E9', 'ui/orders?search=%E9', '?clientId=%'])(
  'the page %s cannot be decoded, and says so',
  async (path) => {
    const headers = { accept: 'text/html' }
    const { status, text } = await emulator.send(`/_emulator/${path}`, { method: 'GET', headers })
    expect([status, text]).toEqual([
      400,
      expect.stringMatching(/is not valid UTF-8|without two hexadecimal digits/),
    ])
  },
)

test('a call of many levels in a form is none', async () => {
  const deep = `{"method":"POST","path":"/","body":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`
  const { status, text } = await submit('curl', [['action', deep]])
  expect([status, text]).toEqual([400, expect.stringContaining('contains no call')])
})

test('fields of one member come together, whatever they are called', async () => {
  const command = await commandOf(['text:where.a', '1'], ['text:where.__proto__', '2'], ['number:n', '3'])
  expect(command).toContain(`--data-raw '{"where":{"a":"1","__proto__":"2"},"n":3}'`)
})

test('the command sends a text that begins with @, and no file', async () => {
  expect(await commandOf(['yaml:', '@/etc/hostname'])).toContain("--data-raw '@/etc/hostname'")
})

test('the command has no key that a terminal would obey', async () => {
  const command = await commandOf(['yaml:', 'x\u0003 touch /tmp/pwned #'])
  expect(command).toMatch(/^printf %b 'x\\0003 touch \/tmp\/pwned #' \|\ncurl .*--data-binary @-$/s)
})

test('a body that is too long to be pasted is named as a file', async () => {
  const command = await commandOf(['yaml:', 'x'.repeat(100_000)])
  expect(command).toContain("--data-binary '@body.yaml'")
})

test('the command calls one URL, whatever brackets and dots are in it', async () => {
  const spec = action({ path: '/orders/{a,b}[1-3]/../x' })
  const { text } = await submit('curl', [['action', spec]])
  expect(text).toMatch(/^curl -X POST -g --path-as-is 'http/)
})

test('nobody can guess where the note of another stands', async () => {
  const to = async () => String((await submit('act', [['action', action()]])).headers.location)
  const [one, other] = [await to(), await to()]
  expect(one).toMatch(/\?note=[\w-]{16}$/)
  expect(other).not.toBe(one)
})

test('notes that nobody fetches do not fill the memory', async () => {
  const fields: [string, string][] = [
    ['action', action()],
    ['yaml:', 'x'.repeat(900_000)],
  ]
  const first = String((await submit('act', fields)).headers.location)
  let last = ''
  for (let n = 0; n < 8; n += 1) last = String((await submit('act', fields)).headers.location)
  expect((await openPage(emulator, first)).html).not.toContain('class="note')
  expect((await openPage(emulator, last)).html).toContain('class="note bad"')
})

test.each([
  ['/_emulator/ui/orders/nope', 404, 'order_unknown'],
  ['/_emulator/ui/clients?cursor=%27', 400, 'bad_cursor'],
  ['/_emulator/ui/scenarios/x', 404, 'scenario_unknown'],
])('a program that opens %s gets the error of the control API', async (path, status, code) => {
  const answer = await emulator.send(path, { method: 'GET' })
  expect([answer.status, answer.json]).toEqual([status, { error: { code, message: expect.any(String) } }])
})

test('another client is chosen without losing the other filters', async () => {
  for (const clientId of ['a', 'b']) await emulator.control('/clients', 'POST', { clientId })
  const page = await openPage(emulator, '/_emulator/ui/orders?status=CREATED&search=a%3Fb&clientId=a')
  const chosen = await page.submit('client-scope', { clientId: 'b' })
  expect(chosen.path).toBe('/_emulator/ui/orders?status=CREATED&search=a%3Fb&clientId=b')
})

test('beside a thing of one client, another client leads to the list', async () => {
  const { json } = await emulator.control('/orders', 'POST', { clientId: 'a' })
  const page = await openPage(emulator, `/_emulator/ui/orders/${Object(json).orderId}?clientId=a`)
  const chosen = await page.submit('client-scope', { clientId: 'b' })
  expect([chosen.status, chosen.path]).toEqual([200, '/_emulator/ui/orders?clientId=b'])
})

test('the first page folds credentials away that are not printed for all to see', async () => {
  await emulator.control('/clients', 'POST', { clientId: 'own', apiSecret: 'an-own-secret-of-mine' })
  const page = await openPage(emulator, '/_emulator/ui/orders?clientId=own')
  expect(page.wordsIn('first-credentials')).toContain('an-own-secret-of-mine')
  expect(page.words.split('an-own-secret-of-mine')).toHaveLength(2)
})
