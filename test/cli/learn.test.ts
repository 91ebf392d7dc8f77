import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../../src/cli/program.ts'
import { loadSettings } from '../../src/cli/serve/options.ts'
import { aFolder } from '../support/folder.ts'
import { FakeTerminal } from './fake-terminal.ts'
import { startForTest } from './running.ts'
import { serverFor } from './servers.ts'

async function command(argv: readonly string[], env = {}, has: { answer?: string } = {}) {
  const terminal = new FakeTerminal(env, has)
  const exitCode = await run(argv, terminal)
  return { exitCode, out: terminal.output.join('\n'), err: terminal.errors.join('\n') }
}

const at = Date.parse('2026-11-27T13:00:00.000Z')

/** A create call whose order can be paid for some minutes. */
const create = (n: number, minutes: number) => ({
  method: 'POST',
  url: 'https://api.example.com/v1/client/checkout/create-order',
  headers: { 'access-token': 'secret-access-token-1', 'content-type': 'application/json' },
  body: JSON.stringify({
    ...{ requestId: `r${n}`, clientId: 'shop', fiatAmount: '10.00', currencyId: 'usd_us' },
    ...{ email: 'mila.kovac@mail.example', firstName: 'Mila' },
  }),
  status: 200,
  response: JSON.stringify({
    ...{ requestId: `r${n}`, token: `4f0c2f6e-0b1d-4c55-9a52-00000000000${n}`, status: 'CREATED' },
    offerInfoData: {
      ...{ userAddress: 'mila.kovac@mail.example', clientId: 'shop', selectedPaymentMethod: 'CARD' },
      ...{ totalFiatAmount: '10.00', currencyId: 'usd_us', type: 'BUY' },
      expiryTs: new Date(at + n * 1000 + minutes * 60_000).toISOString().replace('Z', '+00:00'),
      riskScore: 7,
    },
  }),
  at: at + n * 1000,
  ms: 0,
})

/** A capture of three orders, in a folder of its own. */
function capture(minutes = 20): string {
  const file = join(aFolder(), 'calls.jsonl')
  writeFileSync(file, [1, 2, 3].map((n) => `${JSON.stringify(create(n, minutes))}\n`).join(''))
  return file
}

test('learn writes a settings file that `check` accepts and an emulator starts with', async () => {
  const file = join(aFolder(), 'our-account.yaml')
  const { exitCode, out } = await command(['learn', capture(), '--out', file])
  expect(exitCode).toBe(0)
  expect(out).toMatch(/^orders\.expiry +20m +`expiryTs` of 3 orders is 20m after their create call$/m)
  expect(out).toMatch(/^not in the emulator .*riskScore.*3 of 3/m)
  expect(out).toMatch(/^\d+ of \d\d settings known, \d+ unknown.* · written to .*our-account\.yaml \(/m)
  expect((await command(['check', file])).exitCode).toBe(0)
  const { url } = await startForTest(loadSettings(file))
  const { items } = Object(await (await fetch(`${url}/_emulator/choices?limit=1000`)).json())
  const settings = items.flatMap((item: { settings: object[] }) => item.settings)
  const named = (name: string) => settings.find((setting: { name: string }) => setting.name === name)
  expect(named('orders.expiry')).toMatchObject({
    value: '20m',
    source: 'learned',
    learned: { observations: 3 },
  })
  expect(named('orders.tokens')).toMatchObject({ value: null, source: 'learned' })
  expect(named('webhook.timeout')).toMatchObject({ source: 'shipped', learned: null })
  const patched = await fetch(`${url}/_emulator/settings`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: '{"orders.expiry":"5m"}',
  })
  expect(patched.status).toBe(200)
  const page = await (await fetch(`${url}/_emulator/ui/settings`)).text()
  expect(page).toMatch(/learned on \d{4}-\d\d-\d\d/)
  const after = Object(await (await fetch(`${url}/_emulator/choices?limit=1000`)).json())
  expect(JSON.stringify(after)).toContain('"name":"orders.expiry","default":"15m","value":"5m"')
  expect(JSON.stringify(after)).toMatch(/"value":"5m"[^}]*"source":"set","learned":null/)
})

test('nothing that leaves learn names a person or a secret', async () => {
  const folder = aFolder()
  const file = join(folder, 'a.yaml')
  const text = await command(['learn', capture(), '--out', file])
  const json = await command(['learn', capture(), '--json'])
  const story = await command(['learn', capture(), '--story', 'r2', '--out', join(folder, 'story')])
  expect(story.exitCode).toBe(0)
  const written = [
    file,
    join(folder, 'story', 'story-r2.yaml'),
    join(folder, 'story', 'story-r2.fixture.yaml'),
  ]
  const all = [text.out, json.out, story.out, ...written.map((each) => readFileSync(each, 'utf8'))].join('\n')
  expect(all).not.toMatch(/kovac|mail\.example|Mila|secret-access-token/)
  expect((await command(['check', ...written.slice(1)])).exitCode).toBe(0)
})

test('drift exits 0 while nothing contradicts, and 1 with what has changed', async () => {
  const folder = aFolder()
  const file = join(folder, 'our-account.yaml')
  await command(['learn', capture(20), '--out', file])
  const quiet = await command(['drift', file, capture(20)])
  expect([quiet.exitCode, quiet.out]).toEqual([
    0,
    expect.stringMatching(/^0 of \d+ settings contradicted, \d+ confirmed/m),
  ])
  expect(quiet.out).not.toContain('new things')
  const [junit, summary] = [join(folder, 'drift.xml'), join(folder, 'drift.md')]
  const changed = await command(['drift', file, capture(45), '--junit', junit, '--summary', summary])
  expect(changed.exitCode).toBe(1)
  expect(changed.out).toMatch(
    /^orders\.expiry +contradicted +was 20m, is now 45m · 3 times: .*calls\.jsonl, line 1/m,
  )
  expect(readFileSync(junit, 'utf8')).toMatch(/<testcase classname="drift" name="orders\.expiry"><failure/)
  expect(readFileSync(summary, 'utf8')).toMatch(/\| `orders\.expiry` \| 20m \| 45m \|/)
  const json = JSON.parse((await command(['drift', file, capture(45), '--json'])).out)
  expect(json.counts.contradicted).toBe(1)
})

test('drift reports a field that the settings file does not know yet, which contradicts nothing', async () => {
  const file = join(aFolder(), 'our-account.yaml')
  await command(['learn', capture(), '--out', file])
  writeFileSync(file, readFileSync(file, 'utf8').replace(/ {2}unexplained:[\s\S]*/, '  unexplained: []\n'))
  const { exitCode, out } = await command(['drift', file, capture()])
  expect([exitCode, out]).toEqual([0, expect.stringMatching(/^new .*riskScore/m)])
  expect(out).toContain('that no setting can say')
})

test.each([
  [['learn'], /name at least one capture/],
  [['learn', 'none.har'], /cannot read `none\.har`: ENOENT/],
  [['drift', 'none.yaml', 'none.har'], /cannot read the settings file "none\.yaml"/],
  [['learn', 'x.har', '--api-secret', '${NO_SUCH}'], /--api-secret: the variable `NO_SUCH` is not set/],
  [['learn', 'x.har', '--settings', 'a.yaml'], /`--settings` works only with `--story`/],
  [['learn', 'x.har', '--access-token', 't'], /`--access-token` works only with `--probe`/],
  [['learn', 'x.har', '--story', 'r1', '--probe', 'http://x'], /`--story` reads captures only/],
  [['learn', 'x.har', '--webhook-secret', ''], /--webhook-secret is empty/],
  [['learn', '--probe', 'ftp://x'], /--probe: .*http/],
  [['learn', '--probe', 'http://127.0.0.1:1'], /`--probe` needs `--client`/],
])('wrong usage: %j exits with 2', async (argv, reason) => {
  const { exitCode, err } = await command(argv)
  expect([exitCode, err]).toEqual([2, expect.stringMatching(reason)])
})

test('learn never overwrites a capture that it reads', async () => {
  const file = capture()
  const before = readFileSync(file, 'utf8')
  const { exitCode, err } = await command(['learn', file, '--out', file, '--force'])
  expect([exitCode, err]).toEqual([2, expect.stringMatching(/calls\.jsonl" is a capture/)])
  expect(readFileSync(file, 'utf8')).toBe(before)
})

test('a secret in a header of all webhooks is in no file, and the file can be used', async () => {
  const folder = aFolder()
  const [file, out] = [capture(), join(folder, 'a.yaml')]
  const hook = (n: number) => ({
    headers: { 'x-api-key': 'a-constant-api-key-1', 'x-app': 'pay' },
    body: JSON.stringify({ requestId: `r${n}`, orderStatus: 'CREATED' }),
    ...{ at: at + n * 1000 + 500, status: 200 },
  })
  appendFileSync(file, [1, 2, 3].map((n) => `${JSON.stringify(hook(n))}\n`).join(''))
  const { exitCode, out: text } = await command(['learn', file, '--out', out])
  expect([exitCode, text]).toEqual([0, expect.stringMatching(/^webhook\.headers +unknown .*by hand/m)])
  expect(text + readFileSync(out, 'utf8')).not.toContain('a-constant-api-key-1')
  expect((await command(['drift', out, file])).exitCode).toBe(0)
})

test('drift refuses a settings file that is wrong, with line and column', async () => {
  const file = join(aFolder(), 'a.yaml')
  writeFileSync(file, 'orders.expiry: 20m\nlearned:\n  on: yesterday\n  settings: {}\n')
  const { exitCode, err } = await command(['drift', file, capture()])
  expect([exitCode, err]).toEqual([
    2,
    expect.stringMatching(/a\.yaml:3:7: .*must be a date such as 2026-11-29/),
  ])
})

test('a capture of one order gives a file without settings: `check` accepts it, and drift has nothing to compare', async () => {
  const folder = aFolder()
  const [one, file] = [join(folder, 'one.jsonl'), join(folder, 'a.yaml')]
  writeFileSync(one, `${JSON.stringify(create(1, 20))}\n`)
  expect((await command(['learn', one, '--out', file])).exitCode).toBe(0)
  expect((await command(['check', file])).out).toBe('1 settings file: no problems')
  const { exitCode, err } = await command(['drift', file, one])
  expect([exitCode, err]).toEqual([
    2,
    expect.stringContaining('sets nothing, so there is nothing to compare'),
  ])
})

test('existing files stay unless forced', async () => {
  const file = join(aFolder(), 'a.yaml')
  writeFileSync(file, '# mine\n')
  const { exitCode, err } = await command(['learn', capture(), '--out', file])
  expect([exitCode, err]).toEqual([2, expect.stringContaining('already exists; `--force` overwrites it')])
  expect(readFileSync(file, 'utf8')).toBe('# mine\n')
  expect((await command(['learn', capture(), '--out', file, '--force'])).exitCode).toBe(0)
})

test('a story of an order that the capture does not have: exit 1 with the nearest', async () => {
  const { exitCode, err } = await command(['learn', capture(), '--story', 'r22'])
  expect([exitCode, err]).toEqual([
    1,
    expect.stringMatching(/No order .* "r22" \(3 orders were read\)\. Did you mean "r2"/),
  ])
})

const access = ['--client', 'demo-client', '--api-secret', 'demo-secret', '--access-token', '${TOKEN}']
const env = { TOKEN: 'demo-token' }

test('a probe asks first: without a terminal or a yes it makes no call', async () => {
  let calls = 0
  const { url } = await serverFor((_, response) => {
    calls++
    response.end()
  })
  const alone = await command(['learn', '--probe', url, ...access], env)
  expect([alone.exitCode, alone.err]).toEqual([2, expect.stringContaining('`--yes` answers')])
  expect(alone.err).toMatch(/^3\d calls to http/m)
  const refused = await command(['learn', '--probe', url, ...access], env, { answer: 'no' })
  expect([refused.exitCode, refused.err]).toEqual([2, expect.stringContaining('no call was made')])
  expect(calls).toBe(0)
})

test('a probe of a test environment learns what its calls show, and keeps them without the token', async () => {
  const folder = aFolder()
  const settings = join(folder, 'hidden.yaml')
  writeFileSync(
    settings,
    'orders.expiry: 25m\nsignature.checkout: short\nerrors.validationStatus: 422\nresponses.urlField: payUrl\n',
  )
  const { url } = await startForTest(loadSettings(settings))
  const kept = join(folder, 'probe.jsonl')
  const { exitCode, out } = await command(
    ['learn', '--probe', url, ...access, '--capture', kept, '--json'],
    env,
    { answer: 'y' },
  )
  expect(exitCode).toBe(0)
  const found = JSON.parse(out).settings as { setting: string; state: string; value: unknown }[]
  const known = new Map(
    found.filter(({ state }) => state === 'known').map(({ setting, value }) => [setting, value]),
  )
  expect(known.get('orders.expiry')).toBe('25m')
  expect(known.get('signature.checkout')).toBe('short')
  expect(known.get('errors.validationStatus')).toBe(422)
  expect(known.get('responses.urlField')).toBe('payUrl')
  expect(readFileSync(kept, 'utf8')).not.toContain('demo-token')
  const again = await command(['learn', '--probe', url, ...access, '--yes'], env)
  expect(again.out).toMatch(/^probe of http:\/\/127\.0\.0\.1:\d+: JSON lines, 3\d calls/m)
})

test('a probe that reaches nobody exits with 1 and writes nothing', async () => {
  const kept = join(aFolder(), 'probe.jsonl')
  const { exitCode, err } = await command(
    ['learn', '--probe', 'http://127.0.0.1:1', ...access, '--yes', '--capture', kept],
    env,
  )
  expect([exitCode, err]).toEqual([1, expect.stringMatching(/127\.0\.0\.1:1.* does not answer/)])
  expect(existsSync(kept)).toBe(false)
})
