import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { metIn } from '../../src/cli/coverage/coverage.ts'
import { hazards } from '../../src/domain/coverage/hazards.ts'
import { coverageReport } from '../../src/domain/coverage/report.ts'
import { startEmulator, type TestClient } from '../../src/index.ts'
import { aFolder } from '../support/folder.ts'

const requestId = 'r1'

const metBy = async (client: TestClient) =>
  (await client.coverage()).hazards.filter(({ met }) => met > 0).map(({ name }) => name)

/** Runs the line of a hazard as a test would. */
const bring = async (line: string, client: TestClient): Promise<void> => {
  await new Function('client', 'requestId', `return (async () => { ${line} })()`)(client, requestId)
}

/** When a line stands in its test, where that is not the beginning. */
const moments: Readonly<Record<string, 'created' | 'completed'>> = {
  'webhook-untrue': 'created',
  'webhook-another-id': 'completed',
}

/** These show on the clock of a call that waits, in a subscription, or while a webhook is handled: the tests of the
 *  control API have them. */
const elsewhere = [
  ...['webhook-before-answer', 'create-answer-slow', 'answer-slow'],
  ...['subscription-charge-failed', 'lookup-fails-in-webhook'],
]

const inTests = hazards.filter(
  ({ name, bring: line }) => line.startsWith('await') && !elsewhere.includes(name),
)

test.each(inTests.map(({ name, bring: line }) => [name, line] as const))(
  'the line of %s brings it: %s',
  async (name, line) => {
    await using emulator = await startEmulator({ listen: false, clock: 'manual', seed: 'test' })
    const client = await emulator.createClient()
    await emulator.webhookInbox(client)
    const moment = moments[name]
    if (moment === undefined) await bring(line, client)
    await client.createCheckoutOrder({ requestId }).catch(() => null)
    if (moment === 'created') await bring(line, client)
    await client.fiatOrders(requestId).catch(() => null)
    await client.clock.advance('10s')
    await client.fiatOrders(requestId).catch(() => null)
    await client.clock.advance('25s')
    await client.fiatOrders(requestId).catch(() => null)
    await client.clock.advance('2h')
    if (moment === 'completed') await bring(line, client)
    expect(await metBy(client)).toContain(name)
  },
)

test('each hazard has a name of its own, and a line', () => {
  const names = hazards.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const { bring: line } of hazards)
    expect(line).toMatch(/^(await client\.|payment-order-emulator sweep --only )/)
})

/** Has the library write into a folder of this test. */
function coverageFolder(): string {
  const folder = join(aFolder(), 'coverage')
  vi.stubEnv('EMULATOR_COVERAGE_DIR', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  return folder
}

test('emulators in this process each write a file, and the files add up', async () => {
  const folder = coverageFolder()
  for (const listen of [true, false]) {
    await using emulator = await startEmulator({ listen, clock: 'manual' })
    const client = await emulator.createClient()
    await client.createCheckoutOrder({ requestId })
    await client.fiatOrders(requestId)
  }
  expect(readdirSync(folder)).toHaveLength(2)
  const { answers } = coverageReport(metIn(folder))
  expect(answers.filter(({ met }) => met > 0)).toEqual([
    { name: 'create-checkout-order 200', met: 2, counts: true },
    { name: 'orders 200', met: 2, counts: true },
  ])
})

test('what is met stands in the file at once, because a test runner may kill the process', async () => {
  const folder = coverageFolder()
  await using emulator = await startEmulator({ listen: false, clock: 'manual' })
  const client = await emulator.createClient()
  await client.createCheckoutOrder({ requestId })
  const [name = ''] = readdirSync(folder)
  const met = { section: 'answers', name: 'create-checkout-order 200', count: 1 }
  expect(readFileSync(join(folder, name), 'utf8').split('\n')).toContain(JSON.stringify(met))
  await client.resetCoverage()
  expect(metIn(folder)).toEqual([])
})

test('a folder that is removed meanwhile is made again, and no error', async () => {
  const folder = coverageFolder()
  const emulator = await startEmulator({ listen: false, clock: 'manual' })
  rmSync(folder, { recursive: true })
  const client = await emulator.createClient()
  await client.createCheckoutOrder({ requestId })
  await emulator.close()
  expect(metIn(folder)).toContainEqual({ section: 'answers', name: 'create-checkout-order 200', count: 1 })
})

test('a folder that cannot be made keeps the emulator from starting, and says why', async () => {
  vi.stubEnv('EMULATOR_COVERAGE_DIR', '/dev/null/coverage')
  onTestFinished(() => void vi.unstubAllEnvs())
  await expect(startEmulator({ listen: false })).rejects.toThrow(
    'EMULATOR_COVERAGE_DIR: "/dev/null/coverage" cannot be used',
  )
})
