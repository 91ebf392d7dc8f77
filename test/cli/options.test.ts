import { expect, test } from 'vitest'
import { configSchema } from '../../src/app/config.ts'
import { serveFlags, variableOf } from '../../src/cli/serve/flags.ts'
import { readServeOptions } from '../../src/cli/serve/options.ts'
import { serveCommand } from '../../src/cli/serve/serve-command.ts'
import type { Environment } from '../../src/cli/terminal.ts'

const read = (argv: string, env: Environment = {}) =>
  readServeOptions(
    serveCommand()
      .parse(argv === '' ? [] : argv.split(' '), { from: 'user' })
      .opts(),
    env,
  )

test('without flags and variables every default of the configuration holds', () => {
  expect(read('')).toEqual({ config: configSchema.parse({}), settingsFile: undefined, log: undefined })
})

test.each([
  ['--port 0', 'EMULATOR_PORT', '0', { port: 0 }],
  ['--host 0.0.0.0', 'EMULATOR_HOST', '0.0.0.0', { host: '0.0.0.0' }],
  ['--database a.db', 'EMULATOR_DATABASE', 'a.db', { database: 'a.db' }],
  ['--durable', 'EMULATOR_DURABLE', '1', { durable: true }],
  ['--open-control', 'EMULATOR_OPEN_CONTROL', 'TRUE', { openControl: true }],
  ['--clock manual', 'EMULATOR_CLOCK', 'manual', { clock: { mode: 'manual', speed: 0 } }],
  ['--clock 2.5x', 'EMULATOR_CLOCK', '2.5x', { clock: { mode: 'real', speed: 2.5 } }],
  ['--start-time 1970-01-01T00:00:01Z', 'EMULATOR_START_TIME', '1970-01-01T00:00:01Z', { startTime: 1000 }],
  ['--seed s', 'EMULATOR_SEED', 's', { seed: 's' }],
  ['--client-id c', 'EMULATOR_CLIENT_ID', 'c', { clientId: 'c' }],
  ['--api-secret s', 'EMULATOR_API_SECRET', 's', { apiSecret: 's' }],
  ['--access-token t', 'EMULATOR_ACCESS_TOKEN', 't', { accessToken: 't' }],
  ['--webhook-secret whsec_AAAA', 'EMULATOR_WEBHOOK_SECRET', 'whsec_AAAA', { webhookSecret: 'whsec_AAAA' }],
  ['--webhook-url http://a/b', 'EMULATOR_WEBHOOK_URL', 'http://a/b', { webhookUrl: 'http://a/b' }],
  ['--control-token t', 'EMULATOR_CONTROL_TOKEN', 't', { controlToken: 't' }],
  ['--public-url https://a', 'EMULATOR_PUBLIC_URL', 'https://a', { publicUrl: 'https://a' }],
  ['--scenarios a --scenarios b', 'EMULATOR_SCENARIOS', 'a, b,', { scenarios: ['a', 'b'] }],
  ['--fixtures a.yaml --fixtures b', 'EMULATOR_FIXTURES', 'a.yaml,b', { fixtures: ['a.yaml', 'b'] }],
  ['--allowed-host a --allowed-host b', 'EMULATOR_ALLOWED_HOST', 'a,b', { allowedHosts: ['a', 'b'] }],
])('%s is the same as %s=%s', (flag, variable, text, expected) => {
  expect(read(flag).config).toMatchObject(expected)
  expect(read('', { [variable]: text }).config).toMatchObject(expected)
})

test.each<[string, Environment, object, string]>([
  ['--port 1', { EMULATOR_PORT: '2' }, { port: 1 }, 'a flag wins over its variable'],
  ['', { EMULATOR_PORT: '' }, { port: 4600 }, 'an empty variable is none'],
  ['', { EMULATOR_DURABLE: '0' }, { durable: false }, 'a switch can be off'],
  ['', { EMULATOR_PORT: 'tcp://10.0.0.1:4600' }, { port: 4600 }, "a cluster's service link is no port"],
  ['--port 1 --port 2', {}, { port: 2 }, 'the last of two wins'],
])('%s with %j: %j (%s)', (flag, env, expected) => {
  expect(read(flag, env).config).toMatchObject(expected)
})

test.each([
  [
    '--port abc',
    {},
    'error: --port: expected a whole number from 0 to 65535; 0 picks a free port, not "abc"',
  ],
  ['--port 65536', {}, /^error: --port: expected a whole number from 0 to 65535.*, not 65536$/],
  ['--port 4600.5', {}, /^error: --port: .*, not "4600.5"$/],
  ['', { EMULATOR_PORT: '-1' }, /^error: EMULATOR_PORT: .*, not "-1"$/],
  ['--clock fast', {}, 'error: --clock: expected `real`, `manual` or a speed like `60x`, not "fast"'],
  ['--clock 0x', {}, /^error: --clock: expected/],
  ['--clock 60', {}, /not "60"; did you mean `60x`\?$/],
  ['--clock manul', {}, /not "manul"; did you mean `manual`\?$/],
  ['--start-time 2026-01-01', {}, /^error: --start-time: must be an ISO 8601 time with an offset/],
  [
    '--public-url example.com',
    {},
    'error: --public-url: expected an absolute http or https URL, not "example.com"; did you mean `http://example.com`?',
  ],
  [
    '--webhook-url localhost:3000',
    {},
    'error: --webhook-url: must be an absolute http or https URL without fragment, user name or password, not "localhost:3000"; did you mean `http://localhost:3000`?',
  ],
  [
    '',
    { EMULATOR_WEBHOOK_URL: 'http://app:0/hook' },
    'error: EMULATOR_WEBHOOK_URL: must have a port from 1 to 65535, not "http://app:0/hook"',
  ],
  ['', { EMULATOR_DURABLE: 'yes' }, 'error: EMULATOR_DURABLE: expected 1, true, 0 or false, not "yes"'],
  ['--log jsn', {}, 'error: --log: expected pretty, json or silent, not "jsn"; did you mean `json`?'],
  ['', { EMULATOR_LOG: 'x' }, 'error: EMULATOR_LOG: expected pretty, json or silent, not "x"'],
  [
    '',
    { EMULATOR_WEBHOOK_ALLOW: 'app.test, 10.0.0.0/33' },
    /^error: EMULATOR_WEBHOOK_ALLOW: must be a host, .*, not "10\.0\.0\.0\/33"$/,
  ],
  ['--client-id ä', {}, /^error: --client-id: must be printable ASCII without spaces, not "ä"$/],
  ['--port x --clock y', {}, /^error: --port: .*; --clock: .*"y"$/],
])('%s with %j is refused: %s', (flag, env, message) => {
  expect(() => read(flag, env)).toThrow(message)
})

test.each([
  ['--webhook-secret hush%20ä', 'hush'],
  ['--webhook-url http://user:hush@example.com/', 'hush'],
  ['--webhook-url http://example.com/?key=hush#x', 'hush'],
  ['--access-token hush%20ä', 'hush'],
])('the message about %s does not repeat it', (flag, secret) => {
  const message = thrownBy(() => read(flag))
  expect(message).toMatch(/^error: --/)
  expect(message).not.toContain(secret)
})

test('the defaults that help tells are those of the configuration', () => {
  const told = serveFlags.flatMap(({ config, fallback, secret }) =>
    config === undefined || fallback === undefined || secret || config === 'clock'
      ? []
      : [[config, fallback] as const],
  )
  const defaults = configSchema.parse({})
  expect(told.length).toBeGreaterThan(3)
  for (const [member, fallback] of told) expect(String(defaults[member])).toBe(fallback)
})

test('every member of the configuration has its flag, but those that are not for users', () => {
  const members = Object.keys(configSchema.shape).filter(
    (member) => !['settings', 'learned', 'drainMs', 'place'].includes(member),
  )
  expect(serveFlags.map(({ config }) => config)).toEqual(expect.arrayContaining(members))
})

test('the variable of a flag carries its name', () => {
  expect(variableOf('webhook-url')).toBe('EMULATOR_WEBHOOK_URL')
})

function thrownBy(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
  throw new Error('nothing was thrown')
}
