import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { createLog } from '../../src/cli/log/log.ts'
import { prettyLine } from '../../src/cli/log/pretty-line.ts'
import type {
  ClockRecord,
  DeliveryRecord,
  LogRecord,
  OrderRecord,
  RequestRecord,
} from '../../src/cli/log/records.ts'
import { maskedUrl } from '../../src/domain/journal/masking.ts'
import { oneLine } from '../../src/domain/text/issue-words.ts'
import { FakeTerminal } from './fake-terminal.ts'
import { create, startForTest } from './running.ts'

const plain = { colours: false, columns: null, demoClientId: 'demo-client' }
const at = new Date(2026, 3, 21, 16, 12, 9, 7).getTime()

const request: RequestRecord = {
  event: 'request',
  id: 'req_1',
  method: 'GET',
  path: '/v1/client/orders',
  status: 200,
  ms: 4,
  operation: 'orders',
  clientId: 'demo-client',
  requestId: 'r1',
}

const delivery: DeliveryRecord = {
  event: 'delivery',
  id: 'del_1',
  webhookId: 'msg_1',
  clientId: 'demo-client',
  requestId: 'demo-1',
  orderStatus: 'COMPLETED',
  url: 'http://127.0.0.1:4601/',
  attempt: 1,
  outcome: 'accepted',
  status: 200,
  ms: 3,
  next: 'delivered',
}

const order: OrderRecord = {
  event: 'order',
  orderId: 'o1',
  requestId: 'r1',
  clientId: 'demo-client',
  kind: 'checkout',
  orderStatus: 'FAILED',
  from: 'CREATED',
  errorCode: '9004',
}

const { from: _from, errorCode: _code, ...begun } = { ...order, orderStatus: 'CREATED' }

const clock: ClockRecord = {
  event: 'clock',
  clientId: 'shop-a',
  from: Date.UTC(2026, 0, 31, 12),
  now: Date.UTC(2026, 0, 31, 12, 10),
  mode: 'manual',
  speed: 0,
  paceChanged: false,
}

test.each<[LogRecord, string]>([
  [request, '16:12:09.007 GET /v1/client/orders r1 200 (4 ms)'],
  [
    { ...request, clientId: 'shop-a', requestId: null },
    '16:12:09.007 GET /v1/client/orders (shop-a) 200 (4 ms)',
  ],
  [
    {
      ...request,
      status: 401,
      cause: 'signature.amount-spelling',
      message: 'signature: you signed `fiatAmount=10`, but the body has `10.00`',
    },
    '16:12:09.007 GET /v1/client/orders r1 401 [signature.amount-spelling] signature: you signed `fiatAmount=10`, but the body has `10.00` (4 ms)',
  ],
  [
    { ...delivery, orderStatus: '', requestId: '' },
    '16:12:09.007 webhook -> http://127.0.0.1:4601/ 200 (attempt 1, 3 ms)',
  ],
  [{ ...request, notes: ['a', 'b'] }, '16:12:09.007 GET /v1/client/orders r1 200 (4 ms) a; b'],
  [
    { ...request, status: 503, notes: ['a', 'fault: orders before, 503'] },
    '16:12:09.007 GET /v1/client/orders r1 503 (4 ms) fault: orders before, 503 a',
  ],
  [
    { ...delivery, clientId: 'shop-a', fault: 'sign wrong' },
    '16:12:09.007 webhook COMPLETED demo-1 (shop-a) -> http://127.0.0.1:4601/ 200 (attempt 1, 3 ms) fault: sign wrong',
  ],
  [
    { event: 'deliveries', change: 'released', clientId: 'shop-a', ids: ['del_1', 'del_2'] },
    '16:12:09.007 webhooks released shop-a 2 by hand',
  ],
  [order, '16:12:09.007 order FAILED 9004 r1'],
  [
    { ...order, clientId: 'shop-a', also: ['payment FAILED'] },
    '16:12:09.007 order FAILED 9004 r1 (shop-a) payment FAILED',
  ],
  [{ ...begun, also: ['payment page opened'] }, '16:12:09.007 order r1 payment page opened'],
  [clock, '16:12:09.007 clock shop-a on by 10m to 2026-01-31T12:10:00Z'],
  [
    { ...clock, from: clock.now, paceChanged: true },
    '16:12:09.007 clock shop-a manual, stopped at 2026-01-31T12:10:00Z',
  ],
  [
    { ...clock, mode: 'real', speed: 60, paceChanged: true },
    '16:12:09.007 clock shop-a on by 10m to 2026-01-31T12:10:00Z; 60x',
  ],
  [{ event: 'world', clientId: 'shop-a', change: 'loaded' }, '16:12:09.007 world shop-a loaded'],
  [{ event: 'world', clientId: null, change: 'reset' }, '16:12:09.007 world of all clients reset'],
  [delivery, '16:12:09.007 webhook COMPLETED demo-1 -> http://127.0.0.1:4601/ 200 (attempt 1, 3 ms)'],
  [
    { ...delivery, outcome: 'refused', status: 500, next: 'pending', nextInMs: 2_011, attempt: 2 },
    "16:12:09.007 webhook COMPLETED demo-1 -> http://127.0.0.1:4601/ 500 (attempt 2, 3 ms); next attempt in 2s by its client's clock",
  ],
  [
    { ...delivery, outcome: 'refused', status: 500, next: 'pending', nextInMs: 1_000, pausedAfter: 5 },
    "16:12:09.007 webhook COMPLETED demo-1 -> http://127.0.0.1:4601/ 500 (attempt 1, 3 ms); next attempt in 1s by its client's clock \n             paused: 5 failed attempts in a row (webhook.disableAfter); set the URL again to resume",
  ],
  [
    {
      ...delivery,
      ...{ outcome: 'refused', status: 500, next: 'dead', overridden: true, fault: 'countAs 500' },
      error: 'your app answered 204, treated as 500 by the scenario',
    },
    '16:12:09.007 webhook COMPLETED demo-1 -> http://127.0.0.1:4601/ your app answered 204, treated as 500 by the scenario (attempt 1, 3 ms); given up fault: countAs 500',
  ],
  [
    {
      ...delivery,
      outcome: 'connection',
      status: null,
      error: 'connect ECONNREFUSED',
      next: 'dead',
      attempt: 11,
    },
    '16:12:09.007 webhook COMPLETED demo-1 -> http://127.0.0.1:4601/ connection: connect ECONNREFUSED (attempt 11, 3 ms); given up',
  ],
])('%j reads as one line', (record, line) => {
  expect(prettyLine(record, at, plain)).toBe(line)
})

test('colours only dress the line', () => {
  const dressed = prettyLine({ ...request, status: 401, message: 'no' }, at, { ...plain, colours: true })
  const start = '\u001b'
  expect(dressed).toContain(`${start}[33m401 no${start}[39m`)
  expect(dressed?.replaceAll(new RegExp(`${start}\\[\\d+m`, 'g'), '')).toBe(
    '16:12:09.007 GET /v1/client/orders r1 401 no (4 ms)',
  )
})

test.each([
  [
    50,
    'a line is broken between words',
    [
      '16:12:09.007 GET /v1/client/orders r1 401 you',
      '             signed something else than the body',
      '             says (4 ms)',
    ],
  ],
  [
    39,
    'too little room is left to the terminal',
    ['16:12:09.007 GET /v1/client/orders r1 401 you signed something else than the body says (4 ms)'],
  ],
])('in %i columns %s', (columns, _, lines) => {
  const record = { ...request, status: 401, message: 'you signed something else than the body says' }
  for (const colours of [false, true]) {
    const text = prettyLine(record, at, { ...plain, columns, colours }) ?? ''
    expect(stripVTControlCharacters(text).split('\n')).toEqual(lines)
  }
})

test('an advance is a line, and so are a fixture, a reset and the payer', async () => {
  const terminal = new FakeTerminal()
  const log = createLog('pretty', terminal, 'demo-client')
  const { url } = await startForTest({ clock: 'manual', startTime: '2026-01-31T12:00:00Z' }, log.event)
  await create(url, 'r1')
  await post(`${url}/_emulator/clock/advance`, { by: '1s' })
  await terminal.written(/clock demo-client on by 1s to 2026-01-31T12:00:01Z$/)
  const list = await (await fetch(`${url}/_emulator/orders`)).text()
  const { orderId } = JSON.parse(list).items[0]
  await post(`${url}/_emulator/orders/${orderId}/pay`, { outcome: 'abandoned' })
  await terminal.written(/order r1 abandoned$/)
  await post(`${url}/_emulator/reset`, {})
  await terminal.written(/world of all clients reset$/)
  await fetch(`${url}/_emulator/clock?clientId=demo-client`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: '{"mode":"real","speed":60}',
  })
  await terminal.written(/clock demo-client 60x$/)
  expect(terminal.output.filter((line) => / (clock|world) /.test(line))).toHaveLength(3)
})

test('what a clock goes by itself is no line', async () => {
  const terminal = new FakeTerminal()
  const log = createLog('pretty', terminal, 'demo-client')
  const { url } = await startForTest({}, log.event)
  await post(`${url}/_emulator/clock/advance-to-next`, {})
  expect(terminal.output).toEqual([])
})

test.each([
  ['a\nb', 'a\\nb', 'a new line'],
  ['\u001b[2J', '\\u001b[2J', 'a terminal sequence'],
  ['\u009b2J', '\\u009b2J', 'the same in one character'],
  ['a\u202eb', 'a\\u202eb', 'a turn of the writing direction'],
  ['a\u2028b', 'a\\u2028b', 'a line separator'],
  ['\u{e0041}', '\\u{e0041}', 'an invisible tag'],
  ['\ud800', '\\ud800', 'half a character'],
  ['zażółć ✓ 🙂', 'zażółć ✓ 🙂', 'letters and signs of all kinds'],
])('%j is shown as %j: %s', (text, expected) => {
  expect(oneLine(text)).toBe(expected)
})

test('a very long text is cut', () => {
  expect(oneLine('x'.repeat(1_000), 10)).toBe('xxxxxxxxxx…')
})

test.each([
  [
    '/v1/client/orders?requestId=r&access-token=hush',
    '/v1/client/orders?requestId=r&access-token=h…(4 characters)',
  ],
  ['http://a/?apiSecret=hush&x=1#f', 'http://a/?apiSecret=h…(4 characters)&x=1#f'],
  ['http://a/?%61piS%65cret=hush', 'http://a/?%61piS%65cret=h…(4 characters)'],
  ['http://user:hush@a:80/b@c?d@e=f', 'http://use…(9 characters)@a:80/b@c?d@e=f'],
  ['/v1/client/orders?requestId=r&clientId=c', '/v1/client/orders?requestId=r&clientId=c'],
])('%s is logged as %s', (url, expected) => {
  expect(maskedUrl(url)).toBe(expected)
})

test('a refused request says why, in the words of its diagnosis', async () => {
  const terminal = new FakeTerminal()
  const log = createLog('pretty', terminal, 'demo-client')
  const { url } = await startForTest({}, log.event)
  await create(url, 'r1', 'fiatAmount=10&requestId=r1')
  const line = await terminal.written(/POST/)
  expect(line).toMatch(
    /^[\d:.]{12} POST \/v1\/client\/checkout\/create-order r1 401 \[signature\.amount-spelling\] signature: you signed `fiatAmount=10`, but the body has `10\.00` .*; sign `fiatAmount=10\.00&requestId=r1` \(\d+ ms\)$/,
  )
})

test('without a webhook URL the webhook is shown with its body', async () => {
  const terminal = new FakeTerminal()
  const log = createLog('pretty', terminal, 'demo-client')
  const { url } = await startForTest({ clock: 'manual' }, log.event)
  await create(url, 'r1')
  const line = await terminal.written(/webhook CREATED/)
  expect(line).toMatch(
    /webhook CREATED r1 not sent: no webhook URL \{"requestId":"r1","clientId":"demo-client"/,
  )
})

test.each([
  ['happy', /order COMPLETED r1$/],
  ['fail-9004', /order FAILED 9004 r1/],
])('the end of an order under %s is a line', async (scenario, line) => {
  const terminal = new FakeTerminal()
  const log = createLog('pretty', terminal, 'demo-client')
  const { url } = await startForTest({ clock: 'manual' }, log.event)
  await post(`${url}/_emulator/scenarios/next`, { scenario })
  await create(url, 'r1')
  await post(`${url}/_emulator/clock/advance`, { by: '1m' })
  expect(await terminal.written(/ order (COMPLETED|FAILED)/)).toMatch(line)
})

test('a requestId cannot steer the terminal or begin a line', async () => {
  const terminal = new FakeTerminal()
  const log = createLog('pretty', terminal, 'demo-client')
  const { url } = await startForTest({}, log.event)
  await create(url, 'r1\n\u001b[2Jfake')
  await terminal.written(/webhook CREATED/)
  for (const line of terminal.output) expect(line).toMatch(/^[^\p{Cc}]+$/u)
})

test('the JSON log is one object per line, with the same members each time', async () => {
  const terminal = new FakeTerminal()
  const log = createLog('json', terminal, 'demo-client')
  const { url } = await startForTest({}, log.event)
  await create(url, 'r\n1', 'nonsense')
  await create(url, 'r2')
  await terminal.written(/delivery-skipped/)
  for (const line of terminal.output) expect(line).not.toContain('\n')
  const [refused, ...others] = terminal.output.map((line): Record<string, unknown> => JSON.parse(line))
  expect(refused).toEqual({
    level: 'warn',
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    event: 'request',
    id: expect.stringMatching(/^req_/),
    method: 'POST',
    path: '/v1/client/checkout/create-order',
    status: 401,
    ms: expect.any(Number),
    operation: 'create-checkout-order',
    clientId: 'demo-client',
    requestId: 'r\n1',
    cause: 'signature.wrong',
    message: expect.stringContaining('signature'),
  })
  expect(others.map(({ event }) => event).toSorted()).toEqual(['delivery-skipped', 'order', 'request'])
})

test('no secret of a client gets into the JSON log', async () => {
  const secrets = ['canary-api', 'canary-token', 'whsec_Y2FuYXJ5']
  const [apiSecret, accessToken, webhookSecret] = secrets
  const terminal = new FakeTerminal()
  const log = createLog('json', terminal, 'demo-client')
  const { url } = await startForTest({ apiSecret, accessToken, webhookSecret }, log.event)
  await fetch(`${url}/v1/client/orders?requestId=r&access-token=canary-token&apiSecret=canary-api`)
  await fetch(`${url}/v1/client/orders?requestId=r&clientId=demo-client`, {
    headers: { 'access-token': 'canary-token', authorization: 'Bearer canary-api' },
  })
  await fetch(`${url}/v1/client/checkout/create-order`, {
    method: 'POST',
    headers: { 'access-token': 'canary-token', 'content-type': 'application/json', signature: 'x' },
    body: JSON.stringify({ apiSecret, webhookSecret, requestId: 'r' }),
  })
  expect(terminal.output).toHaveLength(3)
  for (const line of terminal.output) expect(line).not.toMatch(/canary|Y2FuYXJ5/)
})

test('an error goes to standard error with its stack, also when the log is silent', async () => {
  for (const format of ['pretty', 'json', 'silent'] as const) {
    const terminal = new FakeTerminal()
    const log = createLog(format, terminal, 'demo-client')
    log.error(new Error('it broke'), 'req_7')
    log.stopping('SIGTERM')
    expect(terminal.errors.join('\n')).toMatch(/req_7.*it broke|it broke.*req_7/s)
    expect(terminal.errors.join('\n')).toContain('log-lines.test.ts')
    expect(terminal.output).toHaveLength(format === 'silent' ? 0 : 1)
  }
})

const post = (url: string, body: object) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

test('below a long word there is no line of blanks', () => {
  const line = prettyLine({ ...order, orderStatus: 'COMPLETED', requestId: 'r'.repeat(200) }, at, {
    ...plain,
    colours: true,
    columns: 60,
  })
  const lines = stripVTControlCharacters(line ?? '').split('\n')
  expect(lines.filter((each) => each.trim() === '')).toEqual([])
})
