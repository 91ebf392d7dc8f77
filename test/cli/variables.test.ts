import { expect, test } from 'vitest'
import { run, serviceLinkWarning, unknownVariables } from '../../src/cli/program.ts'
import { FakeTerminal } from './fake-terminal.ts'

test.each([
  ['EMULATOR_PROT', 'EMULATOR_PORT'],
  ['EMULATOR_DATABSE', 'EMULATOR_DATABASE'],
  ['EMULATOR_WEBHOOKURL', 'EMULATOR_WEBHOOK_URL'],
  ['EMULATOR_WEBHOOK_URLS', 'EMULATOR_WEBHOOK_URL'],
  ['EMULATOR_ALLOWED_HOSTS', 'EMULATOR_ALLOWED_HOST'],
  ['EMULATOR_SCENARIO', 'EMULATOR_SCENARIOS'],
  ['EMULATOR_ULR', 'EMULATOR_URL'],
  ['emulator_port', 'EMULATOR_PORT'],
])('%s has no effect: did you mean %s?', (name, near) => {
  expect(unknownVariables({ [name]: 'hush' })).toEqual([
    `\`${name}\` is not a variable of this program and has no effect; did you mean \`${near}\`?`,
  ])
})

test('one that is like no other is named too', () => {
  expect(unknownVariables({ EMULATOR_DB: 'x' })).toEqual([
    expect.stringMatching(/^`EMULATOR_DB` is not .*help serve` lists the flags$/),
  ])
})

test.each([
  [
    'the flags of serve',
    { EMULATOR_PORT: '1', EMULATOR_WEBHOOK_URL: 'http://a', EMULATOR_OPEN_CONTROL: '1' },
  ],
  [
    'the variables of clients and the library',
    { EMULATOR_URL: 'x', EMULATOR_SWEEP: 'x', EMULATOR_COVERAGE_DIR: 'x' },
  ],
  ['an empty variable', { EMULATOR_PROT: '' }],
  ['those of other programs', { PAYMENT_ORDER_EMULATOR: 'x', PUBSUB_EMULATOR_HOST: 'x', EMULATE: 'x' }],
  [
    'a Kubernetes service called emulator',
    {
      EMULATOR_SERVICE_HOST: '10.0.0.1',
      EMULATOR_SERVICE_PORT: '4600',
      EMULATOR_SERVICE_PORT_HTTP: '4600',
      EMULATOR_PORT: 'tcp://10.0.0.1:4600',
      EMULATOR_PORT_4600_TCP: 'tcp://10.0.0.1:4600',
      EMULATOR_PORT_4600_TCP_PROTO: 'tcp',
      EMULATOR_PORT_4600_TCP_PORT: '4600',
      EMULATOR_PORT_4600_TCP_ADDR: '10.0.0.1',
    },
  ],
  [
    'a Kubernetes service called emulator-api',
    {
      EMULATOR_API_SERVICE_HOST: '10.0.0.1',
      EMULATOR_API_SERVICE_PORT: '53',
      EMULATOR_API_PORT: 'udp://10.0.0.1:53',
      EMULATOR_API_PORT_53_UDP_ADDR: '10.0.0.1',
    },
  ],
])('no warning for %s', (_, env) => {
  expect(unknownVariables(env)).toEqual([])
})

test('an EMULATOR_PORT that Kubernetes has set is ignored, with words', () => {
  expect(serviceLinkWarning({ EMULATOR_PORT: 'tcp://10.0.0.1:4600' })).toMatch(
    /^`EMULATOR_PORT` is "tcp:\/\/10\.0\.0\.1:4600", which Kubernetes sets .* ignored; .*--port/,
  )
  for (const port of [undefined, '', '4700', 'x'])
    expect(serviceLinkWarning({ EMULATOR_PORT: port })).toBeNull()
})

test.each([
  [['exec', '--', '/bin/true']],
  [['explain', 'happy']],
  [['status', '--url', 'http://127.0.0.1:1']],
  [['push', 'nothing.yaml']],
  [['wait', '--timeout', '1ms', '--url', 'http://127.0.0.1:1']],
  [['health', '--url', 'http://127.0.0.1:1']],
  [['serve', '--port', 'x']],
])('%j warns before anything else', async (argv) => {
  const terminal = new FakeTerminal({ EMULATOR_DATABSE: 'hush' })
  await run(argv, terminal)
  expect(terminal.errors[0]).toMatch(/^warning: `EMULATOR_DATABSE` .*did you mean `EMULATOR_DATABASE`\?$/)
  expect(terminal.errors.join()).not.toContain('hush')
})

test.each([[['check', 'scenarios/happy.yaml']], [['completion', 'bash']]])(
  '%j reads no variable and does not warn',
  async (argv) => {
    const terminal = new FakeTerminal({ EMULATOR_DATABSE: 'x' })
    expect(await run(argv, terminal)).toBe(0)
    expect(terminal.errors).toEqual([])
  },
)
