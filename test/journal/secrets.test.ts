import { expect, test } from 'vitest'
import { createLog } from '../../src/cli/log/log.ts'
import { KnownSecrets } from '../../src/domain/journal/known-secrets.ts'
import { withoutSecretMembers, withoutSecretParameters } from '../../src/domain/journal/masking.ts'
import type { FeedEvent } from '../../src/journal/feed.ts'
import { FakeTerminal } from '../cli/fake-terminal.ts'
import { startForTest } from '../cli/running.ts'
import { TestClient } from '../support/client.ts'
import { emulatorAt, type TestEmulator } from '../support/emulator.ts'
import { EventStream } from '../support/event-stream.ts'
import { Http } from '../support/http.ts'
import { processorMs } from '../support/processor-ms.ts'
import { RawCall } from '../support/raw-call.ts'
import { startReceiver } from '../support/receiver.ts'

/** Nothing else looks like these. */
const canaries = {
  apiSecret: 'canary-api/secret+5f1c"x',
  accessToken: 'canary-own-token-77ab',
  webhookSecret: `whsec_${Buffer.from('canary webhook secret 9e2d').toString('base64')}`,
  controlToken: 'canary-control-token-31c8',
} as const

/** Also as URLs, JSON and Basic authorisation spell them. */
function spellings(secret: string): string[] {
  const bare = secret.replace(/^whsec_/, '')
  return [bare, encodeURIComponent(bare), JSON.stringify(bare).slice(1, -1), btoa(`C1:${bare}`)]
}

const hex = (character: string) => character.charCodeAt(0).toString(16)
const percent = (text: string) => text.replaceAll(/./g, (character) => `%${hex(character)}`)
const unicode = (text: string) => text.replaceAll(/./g, (character) => `\\u00${hex(character)}`)
const everySecond = (text: string, spell: (character: string) => string) =>
  text.replaceAll(/(.)(.)/g, (_, one: string, two: string) => `${spell(one)}${two}`)

/** A secret as no program needs to spell it in a URL or a form, but may. */
const inUrls = (secret: string): string[] => [
  percent(secret),
  percent(secret).toUpperCase(),
  everySecond(encodeURIComponent(secret), (character) => (character === '%' ? '%' : percent(character))),
  encodeURIComponent(percent(secret)),
  encodeURIComponent(encodeURIComponent(encodeURIComponent(secret))),
]

/** The secret between the quotes of a JSON text. */
const inJson = (secret: string): string[] => [
  unicode(secret),
  unicode(secret).replaceAll(/[a-f]/g, (digit) => digit.toUpperCase()),
  secret.replaceAll(/["/]/g, '\\$&'),
  everySecond(secret, unicode),
  JSON.stringify(unicode(secret)).slice(1, -1),
  unicode(percent(secret)),
]

/** A text with its escapes read, once more each time. */
function readTimes(text: string, times: number): string[] {
  const read = text
    .replaceAll(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/\\u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\\(.)/g, '$1')
  return times === 0 || read === text ? [text] : [text, ...readTimes(read, times - 1)]
}

interface World {
  readonly emulator: TestEmulator
  readonly http: Http
  readonly client: TestClient
  readonly issued: string
  /** The text of both logs. */
  readonly logged: () => string
  /** The text of the event stream. */
  readonly told: () => string
}

async function aWorld(webhookUrl: string): Promise<World> {
  const terminals = [new FakeTerminal(), new FakeTerminal()] as const
  const logs = [createLog('json', terminals[0], 'nobody'), createLog('pretty', terminals[1], 'nobody')]
  const feed: FeedEvent[] = []
  const { url } = await startForTest({ controlToken: canaries.controlToken, clock: 'manual' }, (event) => {
    for (const log of logs) log.event(event)
    feed.push(event)
  })
  const plain = new Http(url)
  const authorization = `Bearer ${canaries.controlToken}`
  const http = { send: plain.send.bind(plain) }
  const emulator = {
    ...emulatorAt(url, async () => undefined),
    send: http.send,
    control: async (path: string, method = 'GET', body?: object) => {
      const type = body === undefined ? {} : { 'content-type': 'application/json' }
      const answer = await plain.send(`/_emulator${path}`, {
        method,
        headers: { authorization, ...type },
        body,
      })
      if (answer.status > 299) throw new Error(`${method} ${path} answered ${answer.status} ${answer.text}`)
      return answer
    },
  }
  const { apiSecret, accessToken, webhookSecret } = canaries
  const own = { clientId: 'C1', apiSecret, accessToken, webhookSecret }
  await emulator.control('/clients', 'POST', { ...own, webhookUrl })
  const client = new TestClient(emulator, own)
  const token = await plain.send('/_emulator/access-token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: { clientId: 'C1', apiSecret },
  })
  return {
    emulator,
    http: plain,
    client,
    issued: String(token.json.accessToken),
    logged: () => terminals.flatMap(({ output, errors }) => [...output, ...errors]).join('\n'),
    told: () => JSON.stringify(feed),
  }
}

/** Requests that hold a secret in each place that one could be put into. */
async function misplace({ http, emulator, client }: World, secret: string): Promise<void> {
  const inUrl = encodeURIComponent(secret)
  const json = { 'content-type': 'application/json' }
  const right = { ...json, 'access-token': client.accessToken }
  const body = client.checkout('r-misplaced')
  const create = '/v1/client/checkout/create-order'
  const header = secret.replaceAll(/[^\x20-\x7e]/g, '')
  const requests: [string, Parameters<Http['send']>[1]][] = [
    [create, { method: 'POST', headers: { ...json, 'access-token': header }, body }],
    [create, { method: 'POST', headers: { ...json, 'access-token': `Bearer ${header}` }, body }],
    [create, { method: 'POST', headers: { ...json, authorization: `Bearer ${header}` }, body }],
    [create, { method: 'POST', headers: { ...json, authorization: `Basic ${btoa(`C1:${secret}`)}` }, body }],
    [create, { method: 'POST', headers: { ...right, 'x-api-key': header }, body }],
    [create, { method: 'POST', headers: { ...right, 'x-something': header }, body }],
    [
      '/v1/client/orders?requestId=r1&clientId=C1',
      { method: 'GET', headers: { ...right, 'x-debug': header } },
    ],
    [create, { method: 'POST', headers: { ...right, cookie: `session=${header}` }, body }],
    [create, { method: 'POST', headers: { ...right, signature: header }, body }],
    [create, { method: 'POST', headers: right, body: { ...body, clientId: secret } }],
    [create, { method: 'POST', headers: right, body: { ...body, requestId: secret } }],
    [create, { method: 'POST', headers: right, body: { ...body, apiSecret: secret } }],
    [create, { method: 'POST', headers: right, body: { ...body, lang: secret } }],
    [create, { method: 'POST', headers: right, body: `{"apiSecret":${JSON.stringify(secret)}` }],
    [create, { method: 'POST', headers: { ...right, 'content-type': 'text/plain' }, body: secret }],
    [create, { method: 'POST', headers: right, body: `secret=${inUrl}` }],
    [create, { method: 'POST', headers: right, body: `${' '.repeat(16 * 1024 - 10)}${secret}` }],
    [`/v1/client/orders?requestId=r&clientId=${inUrl}`, { method: 'GET', headers: right }],
    [`/v1/client/orders?requestId=${inUrl}&clientId=C1`, { method: 'GET', headers: right }],
    [`/v1/client/orders?access_token=${inUrl}`, { method: 'GET' }],
    [`/v1/client/orders?something=${inUrl}`, { method: 'GET' }],
    [`/v1/client/orders/${inUrl}`, { method: 'GET' }],
    [`/${inUrl}`, { method: 'GET' }],
    [`/pay/${inUrl}`, { method: 'GET' }],
    ['/v1/client/webhook-url', { method: 'POST', headers: { ...right, 'client-id': header }, body: {} }],
    [
      '/v1/client/webhook-url',
      { method: 'POST', headers: right, body: { webhookUrl: `http://u:${secret}@x/` } },
    ],
    [
      '/_emulator/access-token',
      { method: 'POST', headers: json, body: { clientId: 'C1', apiSecret: `${secret}x` } },
    ],
    [
      '/_emulator/access-token',
      { method: 'POST', headers: json, body: { clientId: secret, apiSecret: 'x' } },
    ],
    ['/_emulator/access-token', { method: 'POST', headers: json, body: { clientSecret: secret } }],
    [
      '/_emulator/access-token',
      { method: 'POST', headers: json, body: `{"apiSecret":${JSON.stringify(secret)}` },
    ],
    ['/_emulator/access-token', { method: 'POST', body: `apiSecret=${inUrl}` }],
    ['/_emulator/clients', { method: 'GET', headers: { authorization: `Bearer ${header}x` } }],
  ]
  for (const spelt of inUrls(secret)) {
    requests.push(
      [`/v1/client/orders?requestId=${spelt}&clientId=C1`, { method: 'GET', headers: right }],
      [`/v1/client/orders/${spelt}?something=${spelt}`, { method: 'GET' }],
      [create, { method: 'POST', headers: right, body: `something=${spelt}` }],
      [create, { method: 'POST', headers: { ...right, 'x-something': spelt }, body }],
    )
  }
  for (const spelt of inJson(secret)) {
    requests.push(
      [create, { method: 'POST', headers: right, body: `{"requestId":"r","lang":"${spelt}"}` }],
      [
        create,
        { method: 'POST', headers: right, body: JSON.stringify({ ...body, lang: `{"a":"${spelt}"}` }) },
      ],
    )
  }
  for (const [path, request] of requests) await http.send(path, request)
  // Invalid HTTP is in the request log too.
  for (const line of [`x: ${header}\0`, `host: a\r\nhost: ${header}`])
    await new RawCall(emulator, `GET /v1/${inUrl}?token=${inUrl} HTTP/1.1\r\n${line}\r\n\r\n`).end()
}

/** The dashboard pages with requests and webhooks: lists, and one page each. */
async function trafficPages({ control }: TestEmulator): Promise<Record<string, string>> {
  const paths = ['/ui/requests', '/ui/deliveries', '/ui/deliveries/send']
  for (const list of ['requests', 'deliveries']) {
    const { items } = await control(`/${list}?limit=1000`)
    paths.push(...items.map(({ id }) => `/ui/${list}/${String(id)}`))
  }
  const pages = await Promise.all(paths.map(async (path) => [path, (await control(path)).text] as const))
  return Object.fromEntries(pages)
}

test('no secret is to be seen where nobody asked for it', async () => {
  const receiver = await startReceiver()
  const world = await aWorld(`${receiver.url}?token=canary-in-a-webhook-url`)
  const { emulator, client, issued } = world
  const authorization = `Bearer ${canaries.controlToken}`
  const stream = await EventStream.open(`${emulator.url}/_emulator/events`, { authorization })
  const secrets = [...Object.values(canaries), issued]
  const spelt = secrets.flatMap((secret) => [secret, ...inUrls(secret), ...inJson(secret)]).join(' ')
  receiver.answerWith({
    status: 302,
    headers: { location: `http://127.0.0.1:1/${spelt.replaceAll(/\s/g, '')}?token=canary-in-a-location` },
    body: `${'x'.repeat(4_060)}${spelt}`,
  })
  expect((await client.createCheckout('r1')).status).toBe(200)
  expect((await client.post('/v1/client/simulate-webhook', client.simulation('r1'))).status).toBe(200)
  await client.advance('1h')
  for (const secret of secrets) await misplace(world, secret)
  await client.settle()
  await client.fiatOrders('the-last-one')
  await stream.first('request', ({ requestId }) => requestId === 'the-last-one')

  const places = {
    'the stream of events': stream.text,
    logs: world.logged(),
    feed: world.told(),
    ...Object.fromEntries(
      await Promise.all(
        [
          '/requests?limit=1000',
          '/deliveries',
          '/orders',
          '/users',
          '/clock',
          '/choices',
          '/scenarios',
          '/metrics',
          '/health',
        ].map(
          async (path) => [path, (await emulator.control(path).catch(() => ({ text: '' }))).text] as const,
        ),
      ),
    ),
  }
  const seen = { ...places, ...(await trafficPages(emulator)) }
  for (const [place, text] of Object.entries(seen)) {
    const read = readTimes(text, 5)
    for (const secret of secrets) {
      const bare = secret.replace(/^whsec_/, '')
      expect(
        read.findIndex((one) => one.includes(bare)),
        `${secret} in ${place}, read so many times`,
      ).toBe(-1)
      for (const spelling of spellings(secret)) {
        const at = text.indexOf(spelling)
        expect(at === -1 ? '' : text.slice(Math.max(0, at - 300), at + 60), `${secret} in ${place}`).toBe('')
      }
    }
  }
  for (const place of ['logs', 'the stream of events'] as const) {
    expect(places[place]).toContain('cana…(23 characters)')
    expect(places[place], place).not.toContain('canary-in-a-webhook-url')
  }
  expect((await emulator.control('/deliveries')).text).toMatch(/redirected to http:\/\/127\.0\.0\.1:1\/cana…/)
  expect(JSON.stringify(seen)).not.toContain('canary-in-a-location')
  // They are where a developer asks for them, and the entries are there.
  const credentials = (await emulator.control('/clients/C1')).text
  for (const secret of [canaries.apiSecret, canaries.accessToken, canaries.webhookSecret])
    expect(credentials).toContain(JSON.stringify(secret))
  expect((await emulator.control('/requests?limit=1000')).items.length).toBeGreaterThan(100)
}, 30_000)

test.each([
  ['/x?token=abcdefghijkl&b=2', '/x?token=abcd…(12 characters)&b=2', 'a token'],
  ['/x?API_KEY=abcdef', '/x?API_KEY=ab…(6 characters)', 'a key'],
  ['/x?requestId=abcdefghijkl', '/x?requestId=abcdefghijkl', 'nothing secret'],
  ['/x?token=', '/x?token=', 'nothing at all'],
  ['/x?%61ccessToken=abcdefghijkl', '/x?%61ccessToken=abcd…(12 characters)', 'a name in other letters'],
  ['/x?%2561ccessToken=abcdefghijkl', '/x?%2561ccessToken=abcd…(12 characters)', 'a name escaped twice'],
  [
    '/x?next=%2Fy%3Ftoken%3Dabcdefghijkl&b=2',
    '/x?next=%2Fy%3Ftoken%3Dabcd…(12 characters)&b=2',
    'a URL within a URL',
  ],
  ['/x?a%=1&token%=abcdefghijkl', '/x?a%=1&token%=abcd…(12 characters)', 'a broken name'],
])('%s is kept as %s: %s', (path, kept) => {
  expect(withoutSecretParameters(path)).toBe(kept)
})

test.each([
  ['{"apiSecret":"abcdefghijkl"}', '{"apiSecret":"abcd…(12 characters)"}'],
  ['{"a":{"client_secret" : "a\\"bcdef"}}', '{"a":{"client_secret" : "a\\…(8 characters)"}}'],
  ['{"password":"abcdef","b":"c"}', '{"password":"ab…(6 characters)","b":"c"}'],
  ['{"a":"token","b":"secret"}', '{"a":"token","b":"secret"}'],
  ['{"token":true,"secret":null,"password":{"a":[1]}}', '{"token":true,"secret":null,"password":{"a":[1]}}'],
  ['{"apiKey":123456789012,"b":1}', '{"apiKey":"1234…(12 characters)","b":1}'],
  ['{"apiSecret":"abcd…(12 characters)"}', '{"apiSecret":"abcd…(12 characters)"}'],
  ['A=1\nSECRET=abcdefghijkl\nB=2', 'A=1\nSECRET=abcd…(12 characters)\nB=2'],
  ['accessToken=abcdefghijkl&b=c', 'accessToken=abcd…(12 characters)&b=c'],
  ['a=b&access%54oken=abcdefghijkl', 'a=b&access%54oken=abcd…(12 characters)'],
  [
    '{"a":"{\\"apiSecret\\":\\"abc\\\\\\"defghijkl\\"}"}',
    '{"a":"{\\"apiSecret\\":\\"abc\\…(16 characters)\\"}"}',
  ],
  ['{"api\\u0053ecret":"abcdefghijkl"}', '{"api\\u0053ecret":"abcd…(12 characters)"}'],
  ['{"\\u0061\\u0070\\u0069Key" : 123456789012}', '{"\\u0061\\u0070\\u0069Key" : "1234…(12 characters)"}'],
  [
    '{"a":"{\\"api\\\\u0053ecret\\":\\"abcdefghijkl\\"}"}',
    '{"a":"{\\"api\\\\u0053ecret\\":\\"abcd…(12 characters)\\"}"}',
  ],
  ['{"note":"x?token\\u003dabcdefghijkl"}', '{"note":"x?token\\u003dabcd…(12 characters)"}'],
  ['{"a":"\\ud83d\\ude00 \\n \\u0041"}', '{"a":"\\ud83d\\ude00 \\n \\u0041"}'],
  ["{'accessToken':'abcdefghijkl'}", "{'accessToken':'abcd…(12 characters)'}"],
  ['{accessToken: "abcdefghijkl", b: 1}', '{accessToken: "abcd…(12 characters)", b: 1}'],
  ['{accessToken: abcdefghijkl, b: 1}', '{accessToken: abcd…(12 characters), b: 1}'],
  ['{"apiSecret":"abcdefghijkl', '{"apiSecret":"abcd…(12 characters)'],
  ['{"apiSecret":"abc\\\\","b":"c"}', '{"apiSecret":"a…(5 characters)","b":"c"}'],
  [`{"apiSecret":"${'a'.repeat(9_000)}"}`, '{"apiSecret":"aaaa…(9000 characters)"}'],
  ['<apiSecret>abcdefghijkl</apiSecret><b>c</b>', '<apiSecret>abcd…(12 characters)</apiSecret><b>c</b>'],
  ['name="apiSecret"\r\n\r\nabcdefghijkl\r\n--x--', 'name="apiSecret"\r\n\r\nabcd…(12 characters)\r\n--x--'],
  ['{:token=>"abcdefghijkl"}', '{:token=>"abcd…(12 characters)"}'],
])('%s is kept as %s', (json, kept) => {
  expect(withoutSecretMembers(json)).toBe(kept)
})

test('a text that looks like the beginning of a secret all along takes no time', () => {
  const hide = () => {
    for (const text of [
      '"token'.repeat(3_000),
      '"token":"'.repeat(2_000),
      `"token":"${'\\a'.repeat(8_000)}`,
    ]) {
      withoutSecretMembers(text)
      withoutSecretParameters(`?${text.replaceAll('"', '&')}`)
    }
  }
  expect(processorMs(hide)).toBeLessThan(200)
})

function knowing(...secrets: readonly (readonly [secret: string, owner: string | null])[]): KnownSecrets {
  const known = new KnownSecrets()
  for (const [secret, owner] of secrets) known.add(secret, owner)
  return known
}

test('a known secret is masked wherever it stands, however it is spelt', () => {
  const secret = 'a/b+c"d=12345'
  const text = `x${secret} ${encodeURIComponent(secret)} ${JSON.stringify(secret)}`
  expect(knowing([secret, 'C1']).mask(text, null)).toBe(
    'xa/b+…(13 characters) a/b+…(13 characters) "a/b+…(13 characters)"',
  )
})

test('what is too short to be told from other words stays', () => {
  expect(knowing(['T1', 'C1'], ['2026', 'C1']).mask('r1 T1 2026', null)).toBe('r1 T1 2026')
})

test.each([
  ['%61%2Fb%2b%63-zażółć', 'with needless percents'],
  ['a%252Fb%252Bc-za%25C5%25BC%25C3%25B3%25C5%2582%25C4%2587', 'with percents twice'],
  ['\\u0061/b+c-za\\u017C\\u00f3\\u0142\\u0107', 'with escapes of JSON in small and large letters'],
  ['\\\\u0061\\\\\\/b+c-za\\\\u017c\\\\u00f3\\\\u0142\\\\u0107', 'with escapes of JSON in JSON'],
  ['\\u0025\\u0036\\u0031/b+c-zażółć', 'with a percent that JSON escapes'],
  ['&#97;&#x2F;b+c-za&#380;&#xF3;&#x142;ć', 'with escapes of XML'],
  ['\\x61/b+c-zażółć', 'with escapes of JavaScript'],
])('a secret spelt as %s is masked: %s', (spelt) => {
  const known = knowing(['a/b+c-zażółć', 'C1'])
  expect(known.mask(`%zz\\u00 x${spelt}y %41&#120;`, null)).toBe('%zz\\u00 xa/b+…(12 characters)y %41&#120;')
})

test('a secret with blanks is masked in a form too', () => {
  const known = knowing(['three plain words', 'C1'])
  const shown = 'thre…(17 characters)'
  expect(known.mask('a=three+plain+words&b=c', null)).toBe(`a=${shown}&b=c`)
  expect(known.mask('three%20plain%20words', null)).toBe(shown)
})

test('a text full of escapes within escapes is read in a moment', () => {
  const known = knowing(['a-secret-of-C1', 'C1'])
  const texts = [`%${'25'.repeat(10_000)}`, '\\'.repeat(20_000), '%25'.repeat(7_000), '&amp;'.repeat(4_000)]
  const took = processorMs(() => {
    for (const text of texts) known.mask(withoutSecretMembers(withoutSecretParameters(`?${text}`)), null)
  })
  expect(took).toBeLessThan(500)
})

test('of secrets that begin alike the longest that stands there is masked', () => {
  const known = knowing(['a-secret-of-C', 'C'], ['a-secret-of-C1', 'C1'])
  expect(known.mask('a-secret-of-C1,a-secret-of-C,a-secret-of-', null)).toBe(
    'a-se…(14 characters),a-se…(13 characters),a-secret-of-',
  )
})

test('one client’s own secrets are masked, and everybody’s, but not another client’s', () => {
  const known = knowing(['secret-of-C1', 'C1'], ['secret-of-C2', 'C2'], ['secret-of-all', null])
  expect(known.mask('secret-of-C1 secret-of-C2 secret-of-all', 'C1')).toBe(
    'secr…(12 characters) secret-of-C2 secr…(13 characters)',
  )
})

test('a secret is hidden until nobody has it any more', () => {
  const known = knowing(['a-shared-secret', 'C1'], ['a-shared-secret', 'C2'])
  known.remove('a-shared-secret', 'C1')
  expect(known.mask('a-shared-secret', null)).toBe('a-sh…(15 characters)')
  known.remove('a-shared-secret', 'C2')
  expect(known.mask('a-shared-secret', null)).toBe('a-shared-secret')
})

test('a token that was given out is masked within other words too', () => {
  const token = 'Ab-_'.repeat(10).padEnd(43, '7')
  const known = new KnownSecrets({
    givenTo: (text) => (text === token ? 'C1' : undefined),
    isGiven: (clientId) => clientId === null || clientId === 'C1',
  })
  expect(known.mask(`Bearer x${token}y ${token}`, 'C1')).toBe(
    'Bearer xAb-_…(43 characters)y Ab-_…(43 characters)',
  )
  expect(known.mask(token, 'C2')).toBe(token)
})
