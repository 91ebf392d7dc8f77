import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readFixtureFile } from '../../../src/domain/fixture/fixture-file.ts'
import { readScenarioFile } from '../../../src/domain/scenario/compile-scenario.ts'
import { buildEvidence, type Observed } from '../../../src/learn/evidence/build-evidence.ts'
import { Masker } from '../../../src/learn/mask.ts'
import { type Story, storyOf } from '../../../src/learn/story/story.ts'
import {
  type Arrival,
  arrivalsOf,
  CapturedClient,
  capturedBy,
  type Endpoint,
  personOf,
  startEndpoint,
} from '../../learn/story-capture.ts'
import { Player } from '../../scenarios/play.ts'
import { isObject, type JsonObject } from '../../support/answer.ts'
import type { TestClient } from '../../support/client.ts'
import { startTestEmulator, type TestEmulator } from '../../support/emulator.ts'

const library = globSync('scenarios/*.yaml').map((file) => basename(file, '.yaml'))
const usualStart = '2026-03-01T12:00:00.000Z'
const orders = 100
const wanted = 95

/** How far two gaps may differ, in milliseconds. */
const tolerableMs = 1_000

async function facts(emulator: TestEmulator, id: string) {
  const { json } = await emulator.control(`/scenarios/${id}`)
  const read = readScenarioFile(String(json.text), id, id)
  if ('problems' in read) throw new Error(`${id} is invalid: ${JSON.stringify(read.problems)}`)
  const { clock, for: kinds } = read.scenario
  return { start: clock ?? Date.parse(usualStart), kind: kinds?.[0] ?? 'checkout' }
}

/** A webhook without its ids, with the time since the creation of its order. */
interface SentWebhook {
  readonly at: number
  readonly what: string
}

interface Played {
  readonly client: TestClient
  readonly webhooks: readonly SentWebhook[]
  /** The answers to its create calls. */
  readonly creates: readonly string[]
}

async function webhooksTo(
  emulator: TestEmulator,
  client: TestClient,
  arrivals: readonly Arrival[],
): Promise<SentWebhook[]> {
  const { items } = await emulator.control(`/orders?clientId=${client.clientId}`)
  const createdAt = Number(items[0]?.createdAt)
  const ids = new Map(items.map(({ orderId }, index) => [String(orderId), `order-${index + 1}`]))
  return arrivals.map(({ exchange: { at, body, headers, status } }) => {
    let text = body ?? ''
    for (const [id, name] of ids) text = text.replaceAll(id, name)
    return { at: at - createdAt, what: `${text} ${isSigned(client, body ?? '', headers)} -> ${status}` }
  })
}

function isSigned(client: TestClient, body: string, headers: Readonly<Record<string, string>>): string {
  try {
    new Webhook(client.webhookSecret).verify(body, headers)
    return 'signed'
  } catch (error) {
    return error instanceof Error && error.message === 'Missing required headers'
      ? 'unsigned'
      : 'badly signed'
  }
}

const createsOf = (client: CapturedClient): string[] =>
  client.exchanges
    .filter(({ path }) => path.endsWith('create-order'))
    .map(({ status, response }) => (status === 200 ? '200' : `${status} ${response}`))

/** What differs between two sequences of webhooks; null if nothing does. */
function difference(seen: Played, again: Played): string | null {
  const byTime = ({ webhooks }: Played) =>
    webhooks.toSorted((a, b) => a.at - b.at || (a.what < b.what ? -1 : Number(a.what > b.what)))
  const [recorded, played] = [byTime(seen), byTime(again)]
  const isSame =
    recorded.length === played.length &&
    recorded.every(({ at, what }, index) => {
      const other = played[index]
      return other?.what === what && Math.abs(other.at - at) <= tolerableMs
    })
  const [calls, callsAgain] = [seen.creates.join('\n    '), again.creates.join('\n    ')]
  if (isSame && calls === callsAgain) return null
  const lines = (list: readonly SentWebhook[]) => list.map(({ at, what }) => `    ${at} ${what}`).join('\n')
  return `  captured:\n    ${calls}\n${lines(recorded)}\n  replayed:\n    ${callsAgain}\n${lines(played)}`
}

const path = (index: number) => `/hooks/${index}`

/** Plays a scenario as an application with a capture. */
async function captured(emulator: TestEmulator, endpoint: Endpoint, scenario: string, index: number) {
  const { start, kind } = await facts(emulator, scenario)
  const added = await emulator.addClient({
    clientId: `C${index}`,
    webhookUrl: `${endpoint.url}${path(index)}`,
    clock: { mode: 'manual', now: start },
  })
  const client = new CapturedClient(emulator, added, personOf(index), start)
  await new Player(emulator, client).play(scenario, kind)
  const observed = await capturedBy(client, endpoint, path(index))
  const arrivals = await arrivalsOf(client, endpoint, path(index))
  const webhooks = await webhooksTo(emulator, client, arrivals)
  return { client, kind, observed, played: { client, webhooks, creates: createsOf(client) } }
}

/** A quiet order of another account, whose webhooks show that the capture has webhooks. */
async function witness(emulator: TestEmulator, endpoint: Endpoint): Promise<readonly Observed[]> {
  const start = Date.parse(usualStart)
  const clock = { mode: 'manual', now: start }
  const url = `${endpoint.url}/witness`
  const added = await emulator.addClient({ clientId: 'witness', webhookUrl: url, clock })
  const client = new CapturedClient(emulator, added, personOf(999), start)
  await client.createCheckout('witness')
  await client.advance('1m')
  return capturedBy(client, endpoint, '/witness')
}

/** The story of a captured order. */
function storyFrom(
  { client, observed }: Awaited<ReturnType<typeof captured>>,
  others: readonly Observed[],
): Story {
  const { apiSecret, webhookSecret } = client
  const { evidence } = buildEvidence([...observed, ...others], { apiSecret, webhookSecret })
  const id = evidence.orders.find(({ requestId }) => requestId !== 'witness')?.requestId ?? 'r1'
  const story = storyOf(evidence, id, new Masker(evidence))
  if ('problem' in story) throw new Error(story.problem)
  return story
}

/** Plays a story on another emulator, as its files say. */
async function replayed(
  emulator: TestEmulator,
  endpoint: Endpoint,
  story: Story,
  { index, kind }: { index: number; kind: string },
): Promise<Played> {
  const id = `${story.id}-${index}`
  const put = await emulator.send(`/_emulator/scenarios/${id}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/yaml' },
    body: story.scenario.replace(/^id: .*$/m, `id: ${id}`),
  })
  if (put.status > 299) throw new Error(`${story.scenario}\n${put.text}`)
  const [described] = listIn(parse(story.fixture), 'clients')
  const [order] = listIn(described, 'orders')
  const fields = {
    ...described,
    defaultScenario: id,
    webhookUrl: `${endpoint.url}${path(index)}`,
    ...(order !== undefined && { orders: [{ ...order, scenario: id }] }),
  }
  const { clients } = (await emulator.control('/fixtures', 'POST', { clients: [fields] })).json
  const [credentials] = Array.isArray(clients) ? clients.filter(isObject) : []
  const text = (name: string) => String(credentials?.[name])
  const now = Date.parse(String(isObject(described?.clock) && described.clock.now))
  const client = new CapturedClient(
    emulator,
    {
      ...{ clientId: text('clientId'), apiSecret: text('apiSecret') },
      ...{ accessToken: text('accessToken'), webhookSecret: text('webhookSecret') },
    },
    story.create?.body ?? {},
    now,
  )
  if (story.create !== null) await new Player(emulator, client).play(id, kind)
  else await untilQuiet(client)
  const webhooks = await webhooksTo(emulator, client, await arrivalsOf(client, endpoint, path(index)))
  return { client, webhooks, creates: createsOf(client) }
}

async function untilQuiet(client: TestClient): Promise<void> {
  let ledger = await client.advance('0s')
  while (ledger.nextDueAt !== null) ledger = await client.advance(`${ledger.nextDueAt - ledger.now}ms`)
}

const listIn = (value: unknown, name: string): JsonObject[] => {
  const list = isObject(value) ? value[name] : []
  return Array.isArray(list) ? list.filter(isObject) : []
}

/** Problems that `check` reports about the files. */
function problemsIn({ id, scenario, fixture }: Story): string[] {
  const files = [readScenarioFile(scenario, `${id}.yaml`, id), readFixtureFile(fixture, `${id}.fixture.yaml`)]
  return files.flatMap((file) => ('problems' in file ? file.problems.map(({ message }) => message) : []))
}

/** Secrets and people of the traffic that show in the output. */
function leaksIn(
  { scenario, fixture, notes, create }: Story,
  { client, index }: { client: CapturedClient; index: number },
) {
  const text = [scenario, fixture, ...notes, JSON.stringify(create)].join('\n')
  const person = personOf(index)
  const people = [...Object.values(person), ...Object.values(Object(person.billingData))]
    .filter((value) => typeof value === 'string')
    .filter((value) => !['CPF', 'DE'].includes(value))
  const tokens = client.exchanges.flatMap(({ headers, response }) => [
    ...[headers['access-token'], headers.signature].flatMap((value) => value ?? []),
    ...(/"token":"([^"]+)"/.exec(response ?? '')?.slice(1) ?? []),
  ])
  const secrets = [client.apiSecret, client.webhookSecret, client.accessToken, ...tokens]
  return [...people, ...secrets].filter((each) => text.includes(each))
}

test(`an order in a capture replays as it was, in ${wanted} of ${orders} cases, without secrets and people`, async () => {
  const [emulator, other] = [
    await startTestEmulator({ seed: 'story' }),
    await startTestEmulator({ seed: 'again' }),
  ]
  const [endpoint, otherEndpoint] = [await startEndpoint(), await startEndpoint()]
  const others = await witness(emulator, endpoint)
  const scenarios = [...library, ...Array.from({ length: orders - library.length }, () => 'chaos')]
  const unequal: string[] = []
  const wrong: string[] = []
  const play = async (scenario: string, index: number) => {
    const capture = await captured(emulator, endpoint, scenario, index)
    const story = storyFrom(capture, others)
    const name = `order ${index} of ${scenario}`
    for (const problem of problemsIn(story)) wrong.push(`${name}: ${problem}`)
    for (const leak of leaksIn(story, { client: capture.client, index })) wrong.push(`${name} shows ${leak}`)
    const again = await replayed(other, otherEndpoint, story, { index, kind: capture.kind })
    const found = difference(capture.played, again)
    if (found !== null) unequal.push(`${name}:\n${story.scenario}\n${found}`)
  }
  const waiting = [...scenarios.entries()]
  const line = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await play(next[1], next[0])
  }
  await Promise.all(Array.from({ length: 10 }, line))
  expect(wrong).toEqual([])
  expect(unequal.length, unequal.join('\n\n')).toBeLessThanOrEqual(orders - wanted)
}, 240_000)
