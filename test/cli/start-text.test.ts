import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import type { ConfigInput } from '../../src/app/config.ts'
import { createLog } from '../../src/cli/log/log.ts'
import { type StartFacts, startDetails, startFacts, startText } from '../../src/cli/serve/start-text.ts'
import type { Environment } from '../../src/cli/terminal.ts'
import { aFolder } from '../support/folder.ts'
import { FakeTerminal } from './fake-terminal.ts'
import { startForTest } from './running.ts'

const shell = (command: string) => promisify(execFile)('/bin/sh', ['-c', command])
const hasCurl = await shell('command -v curl').then(
  () => true,
  () => false,
)

async function factsOf(input: ConfigInput = {}, env: Environment = {}): Promise<StartFacts> {
  const { emulator, config, url } = await startForTest(input)
  return startFacts(emulator, config, url, { env, keys: false })
}

test.runIf(hasCurl).each<[string, ConfigInput]>([
  ['the demo client', {}],
  [
    'credentials full of quotes',
    { clientId: `o'b"r$i\`en\\`, accessToken: `a'b"$(x)\`y\`\\`, apiSecret: `"'$x ü` },
  ],
  ['a pinned signature form', { settings: { 'signature.checkout': 'with-currency' } }],
])('the curl command works as pasted: %s', async (_, input) => {
  const text = startText(await factsOf({ clock: 'manual', ...input }))
  const command = /^curl [\s\S]*?(?=\nReady\.)/m.exec(text)?.[0] ?? ''
  const first = await shell(command)
  expect(JSON.parse(first.stdout)).toMatchObject({ status: 'CREATED' })
  const again = await shell(command)
  expect(JSON.parse(again.stdout)).toEqual({
    error: { code: '7001', message: 'Order already exists for given requestId' },
  })
})

test.runIf(hasCurl)('the curl command of the JSON log is one line and works too', async () => {
  const terminal = new FakeTerminal()
  const log = createLog('json', terminal, 'demo-client')
  log.ready(await factsOf({ clientId: "o'brien" }))
  const { event, url, dashboard, clientId, curl } = JSON.parse(terminal.output[0] ?? '')
  expect([event, clientId, dashboard]).toEqual(['ready', "o'brien", `${url}/_emulator/`])
  expect(curl).not.toContain('\n')
  expect(JSON.parse((await shell(curl)).stdout)).toMatchObject({ status: 'CREATED' })
})

test('the ready line of the JSON log carries no token that somebody chose, and no key of a webhook URL', async () => {
  const terminal = new FakeTerminal()
  const log = createLog('json', terminal, 'demo-client')
  const own = { accessToken: `a-token-of-o'brien`, apiSecret: 'a-secret-of-my-own' }
  const webhookUrl = 'http://127.0.0.1:1/?apikey=hidden-key-1234'
  const facts = await factsOf({ ...own, webhookUrl })
  log.ready(facts)
  const line = terminal.output[0] ?? ''
  expect(line).not.toMatch(/of-o|of-my-own|hidden/)
  expect(JSON.parse(line)).toMatchObject({
    webhookUrl: 'http://127.0.0.1:1/?apikey=hidd…(15 characters)',
    curl: expect.stringContaining('-H "access-token: $PAYMENT_ORDER_ACCESS_TOKEN"'),
  })
  expect(startText(facts)).not.toContain('hidden')
})

test.runIf(hasCurl)(
  'with a token of its own the curl command of the JSON log takes it from the shell',
  async () => {
    const terminal = new FakeTerminal()
    const log = createLog('json', terminal, 'demo-client')
    log.ready(await factsOf({ accessToken: 'a-token-of-my-own' }))
    const { curl } = JSON.parse(terminal.output[0] ?? '')
    const answer = await shell(`export PAYMENT_ORDER_ACCESS_TOKEN=a-token-of-my-own; ${curl}`)
    expect(JSON.parse(answer.stdout)).toMatchObject({ status: 'CREATED' })
  },
)

test('where keys do something the line before Ready. says so', async () => {
  const facts = await factsOf()
  expect(startText({ ...facts, keys: true })).toMatch(/\nKeys: o dashboard · .* · h help\nReady\.$/)
  expect(startText(facts)).not.toContain('Keys:')
})

test('colours only dress the text', async () => {
  const facts = { ...(await factsOf()), keys: true }
  expect(stripVTControlCharacters(startText(facts, true))).toBe(startText(facts))
  expect(startText(facts, true)).toMatch(/\nReady\.$/)
})

test('each start has a requestId of its own', async () => {
  const [one, two] = [await factsOf(), await factsOf()]
  expect(one.curl.at(-1)).toMatch(/"requestId":"demo-[0-9a-f]{8}"/)
  expect(one.curl.at(-1)).not.toBe(two.curl.at(-1))
})

test('the text tells the demo credentials and ends with Ready.', async () => {
  const facts = await factsOf()
  const text = startText(facts)
  for (const word of [
    facts.url,
    'demo-client',
    'demo-secret',
    'demo-token',
    facts.client.webhookSecret,
    facts.seed,
  ]) {
    expect(text).toContain(word)
  }
  expect(text).toMatch(/\nReady\.$/)
})

test.each<[string, ConfigInput]>([
  ['as it ships', {}],
  [
    'with everything',
    { host: '0.0.0.0', clock: 'manual', seed: 'x', database: 'FILE', fixtures: ['busy-merchant'] },
  ],
  ['open', { host: '0.0.0.0', openControl: true }],
])('%s, the text has at most 15 lines', async (_, { database, ...input }) => {
  const file = database === undefined ? {} : { database: join(aFolder(), 'e.db') }
  const facts = await factsOf({ ...input, ...file })
  expect(startText({ ...facts, keys: true }).split('\n').length).toBeLessThanOrEqual(15)
})

test.each<[ConfigInput, RegExp]>([
  [{}, /Clock +real; seed [0-9a-f]+\n/],
  [{ clock: '60x' }, /Clock +60x; seed /],
  [
    { clock: 'manual', startTime: '2026-01-31T12:00:00Z' },
    /Clock +manual, stopped at 2026-01-31T12:00:00\.000Z; move it with POST \/_emulator\/clock\/advance; seed /,
  ],
  [{ seed: 'abc' }, /; seed abc\n/],
  [{}, /Dashboard +http:\/\/127\.0\.0\.1:\d+\/_emulator\/\n/],
  [{ publicUrl: 'https://pay.test/x/' }, /Dashboard +https:\/\/pay\.test\/x\/_emulator\/\n/],
  [{ controlToken: 'hush' }, /Dashboard +\S+ \(control token as given\)\n/],
  [{ webhookUrl: 'http://127.0.0.1:9/hook' }, /Webhooks +go to http:\/\/127\.0\.0\.1:9\/hook\n/],
  [{}, /webhookSecret +whsec_\S+ \(signs webhooks, an addition of this emulator\)/],
  [{}, /set signature\.checkout to allow only yours/],
  [{ host: '0.0.0.0' }, /Dashboard +\S+ \(control token [\w-]{24}\)\n/],
])('started with %j the text says %s', async (input, words) => {
  expect(startText(await factsOf(input))).toMatch(words)
})

test.each<[ConfigInput, RegExp]>([
  [{ seed: 'abc' }, /Seed +abc \(the same seed gives the same ids\)/],
  [{}, /Database +in memory/],
  [{}, /addition of this emulator: the API specification has no webhook signature/],
  [{}, /set signature\.checkout \(short/],
  [{ host: '0.0.0.0' }, /control token +[\w-]{24} /],
  [{ controlToken: 'hush' }, /control token +as given /],
])('started with %j the rest says %s', async (input, words) => {
  expect(startDetails(await factsOf(input))).toMatch(words)
})

test('that the control API is open is a warning before the text', async () => {
  const terminal = new FakeTerminal()
  const log = createLog('pretty', terminal, 'demo-client')
  log.ready(await factsOf({ host: '0.0.0.0', openControl: true }))
  expect(terminal.errors).toEqual([expect.stringMatching(/^warning: anyone who reaches this port can use/)])
  expect((await factsOf({ openControl: true })).warnings).toEqual([])
})

test.each<[ConfigInput, RegExp]>([
  [{ settings: { 'signature.checkout': 'short' } }, /pin (it|yours)/],
  [{ settings: { 'webhook.auth': 'none' } }, /webhook-signature|addition/],
  [{}, /control token/],
  [{ controlToken: 'hush' }, /hush/],
  [{ apiSecret: '\u001b[2J' }, /(?!\n)\p{Cc}/u],
])('started with %j neither the text nor the rest says %s', async (input, words) => {
  const facts = await factsOf(input)
  expect(`${startText(facts)}\n${startDetails(facts)}`).not.toMatch(words)
})

test.each<[ConfigInput, Environment, RegExp]>([
  [{}, { npm_lifecycle_event: 'start' }, /^npm start -- listen --url http:\/\/127\.0\.0\.1:\d+$/],
  [{}, { npm_lifecycle_event: 'npx' }, /^npx payment-order-emulator listen --url/],
  [{}, {}, /^payment-order-emulator listen --url/],
  [{ clientId: "o'x" }, {}, / --client 'o'\\''x'$/],
  [{ controlToken: 'hush' }, {}, / --control-token YOUR-TOKEN$/],
  [{ host: '0.0.0.0' }, {}, / --control-token [\w-]{24}$/],
])('started with %j under %j, listen is called as %s', async (input, env, command) => {
  expect((await factsOf(input, env)).listen).toMatch(command)
})

test('the JSON log tells a control token only if it was made up', async () => {
  for (const [input, isReported] of [
    [{ host: '0.0.0.0' }, true],
    [{ controlToken: 'hush' }, false],
  ] as const) {
    const terminal = new FakeTerminal()
    const log = createLog('json', terminal, 'demo-client')
    log.ready(await factsOf(input))
    const ready = JSON.parse(terminal.output.at(-1) ?? '')
    expect('controlToken' in ready).toBe(isReported)
    expect(terminal.output.join()).not.toMatch(/hush|demo-secret|whsec_/)
  }
})
