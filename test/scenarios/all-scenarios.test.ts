import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readScenarioFile } from '../../src/domain/scenario/compile-scenario.ts'
import type { JsonObject } from '../support/answer.ts'
import type { TestClient } from '../support/client.ts'
import { startTestEmulator } from '../support/emulator.ts'
import { type Received, startReceiver } from '../support/receiver.ts'
import { Player, since } from './play.ts'

const files = globSync('scenarios/*.yaml').toSorted()
const goldenOf = (id: string) => `test/scenarios/golden/${id}.txt`
const usualStart = '2026-03-01T12:00:00.000Z'

/** Plays a scenario to its end. */
async function played(id: string, { others = false } = {}) {
  const { start, kind } = facts(id)
  const emulator = await startTestEmulator({ seed: 'golden', startTime: start })
  const receiver = await startReceiver()
  const client = await emulator.addClient({ ...credentials, webhookUrl: receiver.url })
  const noise = others ? disturb(emulator) : Promise.resolve()
  const play = await new Player(emulator, client).play(id, kind)
  await noise
  return { ...play, client, receiver, t0: Date.parse(start) }
}

/** The observations of a scenario from outside. */
async function story(id: string): Promise<string> {
  const { calls, ledgers, lookups, client, receiver, t0 } = await played(id)
  const deliveries = await client.deliveries()
  const sections = {
    calls,
    'what happened': ledgers.flatMap(({ transitions }) =>
      transitions.map(({ at, what, from, to }) => `${since(at - t0)} ${what} ${from} -> ${to}`),
    ),
    'attempts, as the emulator has them on record': deliveries
      .flatMap((one) => attemptLines(one, t0))
      .toSorted(byTime),
    'webhooks, as they arrived': receiver.requests.map((request) => arrival(request, client)),
    lookups,
  }
  const text = Object.entries(sections).map(([title, lines]) => [`== ${title}`, ...lines, ''].join('\n'))
  return named(text.join('\n'))
}

/** Secrets that are the same each time, as ids and signatures follow from them. */
const credentials = {
  clientId: 'C1',
  apiSecret: 'sandbox-secret',
  accessToken: 'T1',
  webhookSecret: 'whsec_c2FuZGJveC13ZWJob29rLXNlY3JldA==',
}

/** The file's hints about its presentation. */
function facts(id: string) {
  const read = readScenarioFile(readFileSync(`scenarios/${id}.yaml`, 'utf8'), id, id)
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  const { clock, for: kinds } = read.scenario
  return {
    start: clock === null ? usualStart : new Date(clock).toISOString(),
    kind: kinds?.[0] ?? 'checkout',
  }
}

/** Other applications at work on the same emulator. */
async function disturb(emulator: Awaited<ReturnType<typeof startTestEmulator>>): Promise<void> {
  const other = await emulator.addClient()
  for (let n = 0; n < 5; n++) {
    await other.createCheckout(n === 0 ? 'r1' : `other-${n}`)
    await other.advance('3s')
  }
}

function attemptLines(delivery: JsonObject, t0: number): string[] {
  const { orderStatus, orderType, orderId, status, attempts, dueAt } = delivery
  const what = `${orderStatus} ${orderType} ${orderId}`
  if (!Array.isArray(attempts) || attempts.length === 0) {
    return [`${since(Number(dueAt) - t0)} ${what} ${status}, never sent`]
  }
  return attempts.map(({ n, at, outcome, status: answered }) => {
    const verdict = answered === null ? outcome : `${outcome} ${answered}`
    return `${since(at - t0)} ${what} attempt ${n}: ${verdict} (${status})`
  })
}

/** By the time that the lines begin with; lines of one time keep their order. */
const byTime = (a: string, b: string): number => momentOf(a) - momentOf(b)

function momentOf(line: string): number {
  const sizes = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 }
  const parts = [...(line.split(' ')[0] ?? '').matchAll(/(\d+)(ms|[dhms])/g)]
  return parts.reduce(
    (sum, [, count, unit]) =>
      sum + Number(count) * Number(Object.entries(sizes).find(([name]) => name === unit)?.[1]),
    0,
  )
}

function arrival(request: Received, client: TestClient): string {
  const { pathname, search } = new URL(request.path, 'http://receiver')
  return `${pathname}${search} ${request.text.slice(0, 300)} (${signatureOf(request, client)})`
}

function signatureOf(request: Received, client: TestClient): string {
  try {
    client.verifyWebhook(request)
    return 'signature right'
  } catch (error) {
    return `signature wrong: ${error instanceof Error ? error.message : error}`
  }
}

/** With short names for ids, by their first appearance: what matters is which are the same. */
function named(text: string): string {
  const names = new Map<string, string>()
  const id = /[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g
  return text.replaceAll(id, (found) => {
    if (!names.has(found)) names.set(found, `<id ${names.size + 1}>`)
    return names.get(found) ?? found
  })
}

describe.each(files)('%s', (file) => {
  const id = basename(file, '.yaml')

  test('has a golden file', () => {
    // Written by `npx vitest run test/scenarios/all-scenarios.test.ts -u`, and then read by a person.
    expect(existsSync(goldenOf(id)), `${goldenOf(id)} is missing`).toBe(true)
  })

  test('plays as it did when somebody last looked at it', async () => {
    await expect(await story(id)).toMatchFileSnapshot(`../${goldenOf(id)}`)
  })
})

test.each(['happy', 'sub-month3-fails', 'refund-partial-twice'])(
  '%s leaves the same ledger again, byte for byte, whatever else runs on the emulator',
  async (id) => {
    const ledgers = async (others: boolean) => JSON.stringify((await played(id, { others })).ledgers)
    expect(await ledgers(true)).toBe(await ledgers(false))
  },
)
