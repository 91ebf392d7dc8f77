import { expect, test } from 'vitest'
import { emulatorUrl } from '../../src/cli/emulator-url.ts'
import { run } from '../../src/cli/program.ts'
import type { Environment } from '../../src/cli/terminal.ts'
import { FakeTerminal } from './fake-terminal.ts'
import { startForTest } from './running.ts'
import { serverFor } from './servers.ts'

async function health(argv: readonly string[], env: Environment = {}) {
  const terminal = new FakeTerminal(env)
  const exitCode = await run(['health', ...argv], terminal)
  return { exitCode, output: terminal.output, errors: terminal.errors }
}

test('a running emulator is healthy, also when its control API asks for a token', async () => {
  const { url } = await startForTest({ controlToken: 'hush' })
  expect(await health(['--url', url])).toMatchObject({
    exitCode: 0,
    output: [expect.stringMatching(/is healthy: version .*, up \d+ s$/)],
  })
})

test('--json prints the answer', async () => {
  const { url } = await startForTest()
  const { output } = await health(['--url', `${url}/`, '--json'])
  expect(JSON.parse(output[0] ?? '')).toEqual({
    status: 'ok',
    version: expect.any(String),
    uptimeMs: expect.any(Number),
  })
})

test('where nothing listens it ends with 1 and says so', async () => {
  const { exitCode, errors } = await health(['--url', 'http://127.0.0.1:1'])
  expect(exitCode).toBe(1)
  expect(errors).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:1 does not answer: .*ECONNREFUSED/)])
})

test.each([
  [200, 'welcome'],
  [200, '{"status":"green"}'],
  [200, 'null'],
  [503, '{"status":"ok"}'],
])('another server that answers %i %s is not healthy', async (status, body) => {
  const { port } = await serverFor((_, response) => response.writeHead(status).end(body))
  const url = `http://127.0.0.1:${port}`
  const { exitCode, errors } = await health(['--url', url])
  expect(exitCode).toBe(1)
  expect(errors).toEqual([`${url} answers with ${status}, but is not an emulator`])
})

test.each<[unknown, Environment, string]>([
  [undefined, {}, 'http://127.0.0.1:4600'],
  ['http://a:1/', { EMULATOR_URL: 'http://b' }, 'http://a:1'],
  [undefined, { EMULATOR_URL: 'http://b', EMULATOR_PORT: '1' }, 'http://b'],
  [undefined, { EMULATOR_PORT: '4700' }, 'http://127.0.0.1:4700'],
  [undefined, { EMULATOR_PORT: 'tcp://10.0.0.1:4600' }, 'http://127.0.0.1:4600'],
  [undefined, { EMULATOR_HOST: '0.0.0.0', EMULATOR_PORT: '80' }, 'http://127.0.0.1:80'],
  [undefined, { EMULATOR_HOST: '::1' }, 'http://[::1]:4600'],
  [undefined, { EMULATOR_HOST: '10.0.0.5' }, 'http://10.0.0.5:4600'],
])('--url %j with %j means %s', (flag, env, url) => {
  expect(emulatorUrl(flag, env)).toBe(url)
})

test.each<[unknown, Environment, string]>([
  [undefined, { EMULATOR_URL: 'a:b' }, 'EMULATOR_URL: expected a URL like http://127.0.0.1:4600, not "a:b"'],
  [
    undefined,
    { EMULATOR_URL: 'http://a:0' },
    'EMULATOR_URL: expected a URL like http://127.0.0.1:4600, not "http://a:0"',
  ],
  [
    undefined,
    { EMULATOR_PORT: 'abc' },
    'EMULATOR_PORT: expected a URL like http://127.0.0.1:4600, not "http://127.0.0.1:abc"',
  ],
  [
    undefined,
    { EMULATOR_PORT: '0' },
    'EMULATOR_PORT: expected a URL like http://127.0.0.1:4600, not "http://127.0.0.1:0"',
  ],
  [
    undefined,
    { EMULATOR_HOST: 'a b' },
    'EMULATOR_HOST: expected a URL like http://127.0.0.1:4600, not "http://a b:4600"',
  ],
  [
    'localhost:4600',
    { EMULATOR_URL: 'http://a' },
    '--url: expected a URL like http://127.0.0.1:4600, not "localhost:4600"; did you mean `http://localhost:4600`?',
  ],
])('--url %j with %j is refused, and it says where that came from: %s', (flag, env, words) => {
  expect(() => emulatorUrl(flag, env)).toThrow(`error: ${words}`)
})
