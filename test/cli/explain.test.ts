import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../../src/cli/program.ts'
import { aFolder } from '../support/folder.ts'
import { FakeTerminal } from './fake-terminal.ts'

function fileWith(name: string, text: string): string {
  const folder = aFolder()
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

async function explain(argv: readonly string[], env = {}) {
  const terminal = new FakeTerminal(env)
  const exitCode = await run(['explain', ...argv], terminal)
  return { exitCode, out: terminal.output.join('\n'), err: terminal.errors.join('\n') }
}

test('the timetable of a built-in scenario', async () => {
  const { exitCode, out } = await explain(['fail-9004', '--amount', '7.50'])
  expect(exitCode).toBe(0)
  expect(out.split('\n')).toEqual([
    'fail-9004: FAILED after 4 seconds with error code 9004',
    expect.stringMatching(/^Tests: That /),
    '',
    'For every kind of order; here a checkout of 7.50 usd_us, created at 2026-01-15 12:00:00Z:',
    '',
    '  +0s  2026-01-15 12:00:00Z  CREATED',
    '  +0s  2026-01-15 12:00:00Z    webhook CREATED, CHECKOUT',
    '  +4s  2026-01-15 12:00:04Z  payment CREATED to FAILED, CREATED to FAILED with 9004',
    '  +4s  2026-01-15 12:00:04Z    webhook FAILED, CHECKOUT',
    '',
    'The first webhook, signed:',
    expect.stringMatching(/^ {2}webhook-id: \S+$/),
    '  webhook-timestamp: 1768478400',
    expect.stringMatching(/^ {2}webhook-signature: v1,\S{44}$/),
    expect.stringMatching(/^ {2}\{"requestId":"explain",.*\}$/),
    '',
    'Nothing more happens automatically.',
  ])
})

const waiting = `id: waiting
description: d
clock: 2026-03-01T00:00:00Z
timeline:
  - { at: payer, pay: completed }
  - { after: 3s, payment: COMPLETED }
  - { lookup: { n: 2, of: orders }, order: COMPLETED }
  - { after: 1h30m, refund: 30% }
webhooks: { of: COMPLETED, delay: 40m }
`

test('what waits for the payer or a lookup is assumed, and the line says so; rules are told in words', async () => {
  const { out } = await explain([fileWith('waiting.yaml', waiting)])
  const lines = out.split('\n')
  for (const line of [
    '  +1m          2026-03-01 00:01:00Z  paid, payment CREATED to COMPLETED (if the payer pays)',
    '  +1m 13s      2026-03-01 00:01:13Z  nothing changes (with lookup 1, orders)',
    '  +1m 23s      2026-03-01 00:01:23Z  CREATED to COMPLETED (with lookup 2, orders)',
    '  +41m 23s     2026-03-01 00:41:23Z    webhook COMPLETED, CHECKOUT (held back until now)',
    '  +1h 31m 23s  2026-03-01 01:31:23Z  refund 1 none to REFUND_INITIATED',
    '  COMPLETED: delay 40m',
  ]) {
    expect(lines.map(squeezed)).toContain(squeezed(line))
  }
})

const squeezed = (line: string) => line.replaceAll(/\s+/g, ' ')

test('charges without end are cut, and the last line says so', async () => {
  const text = `id: sub
description: d
for: subscription
timeline:
  - { at: 2s, pay: completed }
  - { every: interval, order: COMPLETED }
`
  const { out } = await explain([fileWith('sub.yaml', text)])
  expect(out).toContain('charge 14: ')
  expect(out).not.toContain('charge 16: ')
  expect(out.split('\n').at(-1)).toBe('The timetable ends after 14 months, but more would follow.')
})

test('--json tells the same, and --seed what chance draws', async () => {
  const text = `id: luck
description: d
timeline: []
random:
  pick: 1
  from:
    - { name: late, webhooks: { delay: 5m } }
    - { name: never, webhooks: { drop: true } }
`
  const file = fileWith('luck.yaml', text)
  const drawn = async (seed: string) => {
    const { out } = await explain([file, '--json', '--seed', seed])
    return JSON.parse(out)
  }
  const told = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(drawn))
  expect(new Set(told.map((one) => one.drawn.join()))).toEqual(new Set(['late', 'never']))
  for (const {
    drawn: [part],
    rows,
    webhookRules,
  } of told) {
    const at = rows.find(({ type }: { type: string }) => type === 'webhook')?.afterMs
    expect([at, webhookRules]).toEqual(
      part === 'late' ? [300_000, ['every webhook: delay 5m']] : [undefined, ['every webhook: drop']],
    )
  }
})

test('an added scenario is found by its id, by flag and by variable', async () => {
  const file = fileWith('waiting.yaml', waiting)
  expect((await explain(['waiting', '--scenarios', file])).exitCode).toBe(0)
  expect((await explain(['waiting'], { EMULATOR_SCENARIOS: file })).exitCode).toBe(0)
})

test('a wrong file is told like `check` tells it', async () => {
  const { exitCode, err } = await explain([fileWith('x.yaml', 'id: x\ndescription: d\ntimeline: 1\n')])
  expect(exitCode).toBe(1)
  expect(err).toContain('x.yaml:3:11: expected a list')
  expect(err).toContain('    |           ^')
})

test.each([
  [['hapy'], 'There is no scenario "hapy". Did you mean "happy"?'],
  [['./hapy.yaml'], 'there is no file or folder "./hapy.yaml"'],
  [['test'], 'There is no scenario "test"'],
  [['./src/cli'], 'contains no .yaml or .yml file'],
  [['./scenarios'], 'name one file'],
  [['happy', '--kind', 'chekout'], 'did you mean `checkout`?'],
  [['happy', '--amount', '1e9'], '--amount: expected an amount like 10.00'],
  [['happy', '--scenarios', '/nowhere'], 'there is no scenario file or folder "/nowhere"'],
  [[], "missing required argument 'scenario'"],
])('explain %j ends with 2', async (argv, message) => {
  const { exitCode, err } = await explain(argv)
  expect([exitCode, err]).toEqual([2, expect.stringContaining(message)])
})

test('a kind of order that the scenario is not for ends with 2', async () => {
  const file = fileWith('sub.yaml', 'id: sub\ndescription: d\nfor: subscription\ntimeline: []\n')
  const { exitCode, err } = await explain([file, '--kind', 'checkout'])
  expect([exitCode, err]).toEqual([2, 'error: --kind: sub is for subscription, not for a checkout'])
})
