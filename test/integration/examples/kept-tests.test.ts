import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Player } from '../../scenarios/play.ts'
import { startTestEmulator, type TestEmulator } from '../../support/emulator.ts'
import { Receiver } from '../../support/receiver.ts'
import { type Ended, installed, run } from '../languages/programs.ts'
import { aProject, type Project } from '../support/project.ts'
import { packed } from '../support/tarball.ts'

const runners = {
  vitest: ['npx', 'vitest', 'run', '--testTimeout=60000', 'vitest'],
  jest: ['npx', 'jest', '--testTimeout=60000', '--rootDir=jest'],
  pytest: ['python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'pytest'],
  go: ['go', 'test', '-count=1', './...'],
} as const
type Runner = keyof typeof runners

const all: readonly Runner[] = ['vitest', 'jest', 'pytest', 'go']
const kinds = all.filter((kind) => {
  const needsTool = kind === 'pytest' || kind === 'go'
  const isMissing = needsTool && process.env.CI === undefined && !installed(kind)
  if (isMissing) console.warn(`The kept tests for ${kind} are skipped: ${kind} is not installed`)
  return !isMissing
})

/** Scenarios with what a test has to cope with: held and failed create calls, retries, charges, orders without a call. */
const scenarios = [
  ['happy', 'checkout', '2026-03-01T12:00:00Z'],
  ['webhook-before-response', 'checkout', '2026-03-01T12:00:00Z'],
  ['create-500-no-order', 'checkout', '2026-03-01T12:00:00Z'],
  ['create-connection-reset', 'checkout', '2026-03-01T12:00:00Z'],
  ['webhook-endpoint-down', 'checkout', '2026-03-01T12:00:00Z'],
  ['sub-month-end', 'subscription', '2027-01-31T23:29:58-03:00'],
  ['payout-failed', 'payout', '2026-03-01T12:00:00Z'],
] as const

let project: Project
let emulator: TestEmulator

beforeAll(async () => {
  emulator = await startTestEmulator({ seed: 'kept' }, afterAll)
  const receiver = new Receiver()
  await receiver.listen()
  afterAll(() => receiver.close())
  project = aProject()
  await project.install(await packed(), 'vitest', 'jest')
  project.write({ 'go/go.mod': 'module kept\n\ngo 1.21\n' })
  for (const [scenario, kind, now] of scenarios) {
    const clock = { mode: 'manual', now: Date.parse(now) }
    const client = await emulator.addClient({ clientId: scenario, webhookUrl: receiver.url, clock })
    await new Player(emulator, client).play(scenario, kind)
    const { items } = await emulator.control(`/orders?clientId=${scenario}&limit=1`)
    for (const runner of kinds) {
      const { json } = await emulator.control(`/orders/${items[0]?.orderId}/scenario?test=${runner}`)
      const folder = runner === 'go' ? `go/${String(json.id)}` : runner
      mkdirSync(join(project.path, folder), { recursive: true })
      writeFileSync(join(project.path, folder, String(json.file)), String(json.yaml))
      writeFileSync(join(project.path, folder, String(json.testFile)), String(json.test))
    }
  }
}, 240_000)

const ended = (runner: Runner): Promise<Ended> =>
  run(
    runners[runner],
    { EMULATOR_URL: emulator.url },
    {
      folder: runner === 'go' ? join(project.path, 'go') : project.path,
      timeoutMs: 200_000,
    },
  )

describe.each(kinds)('the tests for %s', (runner) => {
  test('pass with the scenarios that were kept, and fail with another one', async () => {
    const right = await ended(runner)
    expect(right.exitCode, right.out + right.err).toBe(0)
    const changed = await emulator.control('/orders?clientId=happy&limit=1')
    const { text } = await emulator.control(`/orders/${changed.items[0]?.orderId}/scenario`)
    const id = /^id: (.*)$/m.exec(text)?.[1]
    const file = join(project.path, runner === 'go' ? `go/${id}` : runner, `${id}.yaml`)
    writeFileSync(file, readFileSync(file, 'utf8').replace('at: 5s', 'at: 7s'))
    expect(await ended(runner)).not.toMatchObject({ exitCode: 0 })
  }, 400_000)
})
