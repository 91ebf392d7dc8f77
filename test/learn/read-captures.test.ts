import { execFileSync } from 'node:child_process'
import {
  closeSync,
  createWriteStream,
  mkdirSync,
  openSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { learnFrom } from '../../src/learn/learn.ts'
import { type ReadOptions, readCaptures } from '../../src/learn/read-captures.ts'
import { startForTest } from '../cli/running.ts'
import { aFolder } from '../support/folder.ts'

const at = Date.parse('2026-11-27T13:00:00.000Z')
const created =
  '{"requestId":"r1","token":"t1","status":"CREATED","offerInfoData":{"expiryTs":"2026-11-27T13:15:00.000+00:00"}}'

/** A create call, as a line of a capture. */
const call = (requestId = 'r1', more: object = {}) => ({
  method: 'POST',
  url: 'https://api.example.com/v1/client/checkout/create-order',
  headers: { 'Access-Token': 'token-1', 'content-type': 'application/json' },
  body: JSON.stringify({
    requestId,
    clientId: 'shop',
    fiatAmount: '10.00',
    currencyId: 'usd_us',
    email: 'a@example.com',
  }),
  status: 200,
  response: created.replace('r1', requestId),
  at,
  ms: 20,
  ...more,
})

/** An attempt of a webhook, as a line of a capture. */
const webhook = (requestId = 'r1', more: object = {}) => ({
  url: 'https://shop.example.com/hooks',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ requestId, orderId: 'o1', orderStatus: 'COMPLETED' }),
  at: at + 5000,
  status: 200,
  ms: 3,
  ...more,
})

/** A HAR entry of a line. */
const entry = (
  { method, url, headers, body, status, response, at }: ReturnType<typeof call>,
  more: object = {},
) => ({
  startedDateTime: new Date(at).toISOString(),
  time: 20,
  request: {
    method,
    url,
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    postData: { mimeType: 'application/json', text: body },
  },
  response: { status, headers: [], content: { mimeType: 'application/json', text: response } },
  ...more,
})
const har = (entries: readonly object[]) => JSON.stringify({ log: { version: '1.2', entries } }, null, 2)
const lines = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')

/** Reads files by their names and contents. */
async function read(files: Readonly<Record<string, string | Buffer>>, options: ReadOptions = {}) {
  const folder = aFolder()
  const paths = Object.entries(files).map(([name, content]) => {
    const path = join(folder, name)
    writeFileSync(path, content)
    return path
  })
  return readCaptures(paths, options)
}

test.each([
  ['a HAR', { 'a.har': har([entry(call())]), 'w.jsonl': lines([webhook()]) }],
  ['JSON lines of both', { 'a.jsonl': lines([call(), webhook()]) }],
  ['a JSON list of both', { 'a.json': JSON.stringify([call(), webhook()]) }],
  ['a gzip file', { 'a.har.gz': gzipSync(har([entry(call())])), 'w.jsonl': lines([webhook()]) }],
  ['a byte-order mark', { 'a.jsonl': `\uFEFF${lines([call(), webhook()])}` }],
  ['the wrong order', { 'a.jsonl': lines([webhook(), call()]) }],
])('%s is read: the call, and the webhook of its order', async (_, files) => {
  const { evidence } = await read(files)
  expect(evidence.calls).toMatchObject([
    { operation: 'create-checkout-order', clientId: 'shop', requestId: 'r1' },
  ])
  expect(evidence.orders).toMatchObject([{ requestId: 'r1', answer: { token: 't1' } }])
  expect(evidence.orders[0]?.webhooks[0]?.attempts).toMatchObject([{ status: 200, ms: 3 }])
})

test("the emulator's request log, webhook list and snapshot show the same order", async () => {
  const { url } = await startForTest()
  const made = await fetch(`${url}/_emulator/orders?clientId=demo-client`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ requestId: 'r1', scenario: 'happy-instant' }),
  })
  expect(made.status).toBe(201)
  const lookup = `${url}/v1/client/orders?requestId=r1&clientId=demo-client`
  await fetch(lookup, { headers: { 'access-token': 'demo-token' } })
  const text = async (path: string) => (await fetch(`${url}/_emulator${path}`)).text()
  const folder = aFolder()
  writeFileSync(join(folder, 'log.json'), await text('/requests'))
  writeFileSync(join(folder, 'snapshot.json'), await text('/snapshot'))
  const { files, evidence } = await readCaptures([folder])
  expect(files.map(({ format }) => format).sort()).toEqual(['request log', 'snapshot and request log'])
  // What both files have counts once.
  expect(evidence.calls.map(({ operation, requestId }) => [operation, requestId])).toEqual([['orders', 'r1']])
})

test('a webhook in a HAR is known by the id of an order, wherever its path leads', async () => {
  const proxied = entry({
    ...call(),
    url: 'https://shop.example.com/x',
    body: '{"data":{"reference":"r1"}}',
    response: '',
  })
  const other = entry({
    ...call(),
    url: 'https://shop.example.com/y',
    body: '{"data":"something"}',
    response: '',
  })
  const { evidence, files } = await read({ 'a.har': har([entry(call()), proxied, other]) })
  expect(evidence.webhooks).toMatchObject([{ order: { requestId: 'r1' } }])
  expect(files[0]?.notes).toEqual(['ignored, because they are calls of other services: 1'])
})

test('a call to an unknown path of the service counts as its call', async () => {
  const unknown = entry({
    ...call(),
    method: 'GET',
    url: 'https://api.example.com/v1/client/order?requestId=r1',
    status: 404,
    response: '{"error":"nothing here"}',
  })
  const { evidence, files } = await read({ 'a.har': har([entry(call()), unknown]) })
  expect(evidence.strays).toMatchObject([{ path: '/v1/client/order', status: 404 }])
  expect(files[0]).toMatchObject({ calls: 2, notes: [] })
})

test('a token call is known by its answer: later calls carry that token', async () => {
  const token = {
    ...call(),
    url: 'https://id.example.com/oauth/token',
    response: '{"access":{"value":"token-1"}}',
  }
  const { evidence } = await read({ 'a.jsonl': lines([token, call()]) })
  expect(evidence.tokenCalls).toMatchObject([{ path: '/oauth/token', token: 'token-1' }])
})

test('attempts of one webhook are put together by their id, else by their body', async () => {
  const withId = (id: string, body: string) => ({ ...webhook(), headers: { 'webhook-id': id }, body })
  const byId = await read({
    'a.jsonl': lines([
      call(),
      withId('m1', '{"requestId":"r1","n":1}'),
      withId('m1', '{"requestId":"r1","n":2}'),
    ]),
  })
  expect(byId.evidence.webhooks.map(({ attempts }) => attempts.length)).toEqual([2])
  const byBody = await read({
    'a.jsonl': lines([
      call(),
      webhook(),
      webhook('r1', { at: at + 9000 }),
      webhook('r1', { body: '{"requestId":"r1"}' }),
    ]),
  })
  expect(byBody.evidence.webhooks.map(({ attempts }) => attempts.length)).toEqual([2, 1])
})

test('of two accounts with one requestId, the one in the webhook has sent it', async () => {
  const of = (clientId: string) => ({ ...call(), body: call().body.replace('shop', clientId) })
  const body = '{"requestId":"r1","clientId":"b"}'
  const { evidence, notes } = await read({
    'a.jsonl': lines([
      of('a'),
      { ...of('b'), at: at + 1000 },
      { ...of('c'), at: at + 2000 },
      webhook('r1', { body }),
    ]),
  })
  expect(evidence.webhooks[0]?.order?.clientId).toBe('b')
  expect(notes.join()).toContain('3 accounts: `a`, `b`, `c`')
  const one = await read({ 'a.jsonl': lines([of('a'), of('b')]) }, { clientId: 'b' })
  expect(one.evidence.clientIds).toEqual(['b'])
})

test('a capture that is cut off is read up to there, and says so', async () => {
  const whole = har([entry(call('r1')), entry(call('r2')), entry(call('r3'))])
  const { evidence, files } = await read({ 'a.har': whole.slice(0, -400) })
  expect(evidence.calls.map(({ requestId }) => requestId)).toEqual(['r1', 'r2'])
  expect(files[0]?.notes).toEqual(['is cut off before its end; what comes before was read'])
  const zipped = gzipSync(whole)
  const broken = await read({
    'a.jsonl': lines([call()]),
    'a.har.gz': zipped.subarray(0, zipped.length - 20),
  })
  expect(broken.files[1]?.notes.join()).toMatch(/cut off|cannot be read to its end/)
})

test('records that are wrong are counted and named, the others are read', async () => {
  const bad = [
    { ...call(), at: 'yesterday' },
    { method: 'GET', url: ':', headers: {}, at },
    { what: 1 },
    { no: 2 },
    { no: 3 },
  ]
  const { evidence, files } = await read({ 'a.jsonl': `${lines([call(), ...bad])}{"cut":` })
  expect(evidence.calls).toHaveLength(1)
  expect(files[0]?.notes).toEqual([
    'line 2 `at` is not a time: an ISO 8601 text, or epoch milliseconds',
    'line 3 `url` is not a URL',
    expect.stringMatching(/^line 4 is neither a call/),
    '3 more like these',
  ])
})

test('bodies in base64, compressed or as parsed JSON are read; only exact ones count as exact', async () => {
  const body = call().body
  const zipped = {
    ...call(),
    headers: { 'content-encoding': 'gzip' },
    body: gzipSync(body).toString('base64'),
    bodyEncoding: 'base64',
  }
  const decoded = {
    ...call('r2'),
    headers: { 'content-encoding': 'gzip' },
    body: Buffer.from(call('r2').body).toString('base64'),
    bodyEncoding: 'base64',
  }
  const parsed = { ...call('r3'), body: JSON.parse(call('r3').body), response: JSON.parse(created) }
  const { evidence } = await read({ 'a.jsonl': lines([zipped, decoded, parsed]) })
  expect(evidence.calls.map(({ requestId, isExact }) => [requestId, isExact])).toEqual([
    ['r1', true],
    ['r2', true],
    ['r3', false],
  ])
})

test('calls without bodies are read, and a note says what is missing', async () => {
  const bare = entry(call())
  const { files, evidence } = await read({
    'a.har': har([{ ...bare, response: { ...bare.response, content: { size: 300 } } }]),
  })
  expect(evidence.calls).toHaveLength(1)
  expect(files[0]?.notes).toEqual(['calls without an answer body: 1; record with bodies to learn more'])
})

test('clocks that disagree are noticed, and the capture says by how much', async () => {
  const early = [webhook('r1', { at: at - 47_000 }), webhook('r2', { at: at - 46_000 })]
  const { notes, evidence } = await read({
    'a.jsonl': lines([call('r1'), call('r2')]),
    'w.jsonl': lines(early),
  })
  expect(evidence.isOneClock).toBe(false)
  expect(notes.join()).toMatch(/clocks of .*w\.jsonl and .*a\.jsonl disagree: 2 webhooks .* by 47 s/)
})

test('a clock that is behind the service is known by the answers', async () => {
  const ahead = (requestId: string) => ({
    ...call(requestId),
    responseHeaders: { Date: new Date(at + 60_000).toUTCString() },
  })
  const { evidence, notes } = await read({ 'a.jsonl': lines([ahead('r1'), ahead('r2')]) })
  const [first] = evidence.calls
  expect(notes).toEqual([expect.stringMatching(/a\.jsonl is 60 s behind that of the service.*corrected$/)])
  expect(first && Math.round(evidence.serviceAhead(first.source) / 1000)).toBe(60)
})

test.each([
  [
    'another service',
    { 'a.har': har([entry({ ...call(), url: 'https://example.com/v2/things' })]) },
    /no traffic of the Payment Order Service .*ignored, because they are calls of other services: 1/,
  ],
  ['text', { 'a.txt': 'GET /v1/client/orders' }, /is no capture: expected a HAR/],
  ['UTF-16', { 'a.har': Buffer.from(`\uFEFF${har([])}`, 'utf16le') }, /is UTF-16; save it as UTF-8/],
  ['an empty file', { 'a.har': '' }, /no traffic of the Payment Order Service/],
])('%s is refused with a reason', async (_, files, reason) => {
  await expect(read(files)).rejects.toThrow(reason)
})

test('a missing file and an empty folder are refused by name', async () => {
  const folder = aFolder()
  await expect(readCaptures([join(folder, 'none.har')])).rejects.toThrow(/cannot read .*none\.har.*ENOENT/)
  await expect(readCaptures([folder])).rejects.toThrow(/has no files/)
})

test('a folder is read with its folders, without hidden files', async () => {
  const folder = aFolder()
  mkdirSync(join(folder, 'monday'))
  writeFileSync(join(folder, 'monday', 'a.jsonl'), lines([call()]))
  writeFileSync(join(folder, 'w.jsonl'), lines([webhook()]))
  writeFileSync(join(folder, '.DS_Store'), Buffer.from([0, 0, 0, 1]))
  expect((await readCaptures([folder])).evidence.webhooks).toHaveLength(1)
})

test('what does not fit into memory is left out and counted, and the end of the traffic is where that begins', async () => {
  const many = Array.from({ length: 40 }, (_, n) => call(`r${n}`, { at: at + n * 1000 }))
  const { evidence, notes } = await read({ 'a.jsonl': lines(many) }, { mostCharacters: 20_000 })
  expect(evidence.calls.length).toBeLessThan(40)
  expect(evidence.until).toBe(at + evidence.calls.length * 1000)
  expect(notes.join()).toContain(`${40 - evidence.calls.length} exchanges did not fit into memory`)
})

test('a webhook with a very long text of known values is learned from', async () => {
  const create = (requestId: string) => ({
    ...call(requestId),
    body: call(requestId).body.replace('{', '{"firstName":"Mila",'),
  })
  const hook = (end: string) => ({
    ...webhook(),
    body: JSON.stringify({ requestId: 'r1', status: 'CREATED', text: `${'Mila '.repeat(60_000)}${end}` }),
  })
  const { evidence } = await read({ 'a.jsonl': lines([create('r1'), create('r2'), hook(''), hook('x')]) })
  expect(learnFrom(evidence).findings.length).toBeGreaterThan(0)
})

test('long headers and queries count as traffic in memory', async () => {
  const long = 'x'.repeat(5_000)
  const { evidence } = await read(
    {
      'a.jsonl': lines([
        call('r1', { headers: { cookie: long } }),
        call('r2', { responseHeaders: { 'set-cookie': long } }),
        call('r3', { url: `${call().url}?x=${long}` }),
        call('r4'),
      ]),
    },
    { mostCharacters: 10_000 },
  )
  expect(evidence.calls.map(({ requestId }) => requestId)).toEqual(['r4'])
})

test('a capture of 60 MB, most of it of other services, is read in a stream', async () => {
  const folder = aFolder()
  const file = openSync(join(folder, 'big.har'), 'w')
  const image = `,\n${JSON.stringify(entry({ ...call(), method: 'GET', url: 'https://example.com/a.png', response: 'x'.repeat(1024 * 1024) }))}`
  writeSync(file, `{"log":{"entries":[${JSON.stringify(entry(call()))}`)
  for (let n = 0; n < 60; n++) writeSync(file, image)
  writeSync(file, `,${JSON.stringify(entry(call('r2')))}]}}`)
  closeSync(file)
  const { evidence, files } = await readCaptures([folder])
  expect(evidence.calls.map(({ requestId }) => requestId)).toEqual(['r1', 'r2'])
  expect(files[0]?.notes).toEqual(['ignored, because they are calls of other services: 60'])
})

test('a body with the name of an object method as its encoding, and headers with such names, are read', async () => {
  const odd = {
    ...call('r2'),
    headers: JSON.parse('{"content-encoding":"hasOwnProperty","constructor":"x","__proto__":"y"}'),
    body: Buffer.from(call('r2').body).toString('base64'),
    bodyEncoding: 'base64',
  }
  const { evidence } = await read({ 'a.jsonl': lines([call(), odd]) })
  expect(evidence.calls[1]).toMatchObject({ requestId: 'r2', headers: { constructor: 'x' } })
})

test('an encoding counts in any letter case', async () => {
  const zipped = {
    ...call(),
    responseHeaders: { 'Content-Encoding': 'GZIP' },
    response: gzipSync(created).toString('base64'),
    responseEncoding: 'base64',
  }
  expect((await read({ 'a.jsonl': lines([zipped]) })).evidence.calls[0]?.response).toBe(created)
})

test('JSON that is nested too deep is no JSON, wherever it stands', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const token = { ...call(), url: 'https://id.example.com/oauth/token', response: `{"a":${deep}}` }
  const { evidence, files } = await read({
    'a.jsonl': `${lines([call(), call('r2', { response: deep }), webhook('r1', { body: `{"requestId":"r1","a":${deep}}` }), token])}{"method":"POST","url":"/v1/client/checkout/create-order","at":${at},"body":${deep}}\n`,
  })
  expect(evidence.calls).toHaveLength(2)
  expect(files[0]?.notes).toEqual(['line 5 is not JSON'])
})

test('a file that is named twice, or by itself and by its folder, is read once', async () => {
  const folder = aFolder()
  const file = join(folder, 'a.jsonl')
  writeFileSync(file, lines([call()]))
  const { evidence, files } = await readCaptures([file, file, join(folder, '.', 'a.jsonl'), folder])
  expect([evidence.calls.length, files.length]).toEqual([1, 1])
})

test('a link to a file in a folder is read', async () => {
  const folder = aFolder()
  mkdirSync(join(folder, 'captures'))
  writeFileSync(join(folder, 'a.jsonl'), lines([call()]))
  symlinkSync(join(folder, 'a.jsonl'), join(folder, 'captures', 'a.jsonl'))
  expect((await readCaptures([join(folder, 'captures')])).evidence.calls).toHaveLength(1)
})

test.each([
  ['JSON lines', lines([call()])],
  ['a gzip file', gzipSync(lines([call()]))],
])('a pipe with %s is read, however little it gives at a time', async (_, content) => {
  const pipe = join(aFolder(), 'pipe')
  execFileSync('mkfifo', [pipe])
  const reading = readCaptures([pipe])
  const writer = createWriteStream(pipe)
  for (let from = 0; from < content.length; from += 50) writer.write(content.slice(from, from + 50))
  writer.end()
  expect((await reading).evidence.calls).toHaveLength(1)
})

test('of several accounts, one that is chosen has its own calls and webhooks only', async () => {
  const of = (clientId: string, requestId: string) => ({
    ...call(requestId),
    body: call(requestId).body.replace('"shop"', `"${clientId}"`).replace('a@', 'a@workshop.'),
  })
  const files = {
    'a.jsonl': lines([of('shop', 'r1'), of('other', 'r2'), webhook('r1'), webhook('r2'), webhook('r3')]),
  }
  const { evidence } = await read(files, { clientId: 'shop' })
  expect(evidence.clientIds).toEqual(['shop'])
  expect(evidence.webhooks.map(({ json }) => Object(json).requestId)).toEqual(['r1', 'r3'])
  await expect(read(files, { clientId: '' })).rejects.toThrow(/of the account ``/)
})

test('a POST to another path of the service is no webhook, though it names an order', async () => {
  const cancel = { ...call(), url: 'https://api.example.com/v1/client/checkout/cancel-order' }
  const { evidence, files } = await read({ 'a.har': har([entry(call()), entry(cancel)]) })
  expect(evidence.webhooks).toEqual([])
  expect(files[0]?.notes).toEqual(['ignored, because they are calls of other services: 1'])
})

test('a status may be a text; one that is neither is said, and is no missing answer', async () => {
  const { evidence, files } = await read({
    'a.jsonl': lines([call(), webhook('r1', { status: '503' }), webhook('r1', { status: 'ok' })]),
  })
  expect(evidence.webhooks[0]?.attempts.map(({ status }) => status)).toEqual([503])
  expect(files[0]?.notes).toEqual(['line 3 `status` is no status of HTTP'])
})
