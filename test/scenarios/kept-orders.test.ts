import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readScenarioFile } from '../../src/domain/scenario/compile-scenario.ts'
import type { JsonObject } from '../support/answer.ts'
import type { TestClient } from '../support/client.ts'
import { startTestEmulator, type TestEmulator } from '../support/emulator.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { Player } from './play.ts'

const library = globSync('scenarios/*.yaml').map((file) => basename(file, '.yaml'))
const usualStart = '2026-03-01T12:00:00.000Z'

/** How far two gaps may differ, in milliseconds. */
const tolerableMs = 1_000

/** Plays a scenario as a client of its own, which ends when nothing is due any more. */
async function played(emulator: TestEmulator, scenario: string, clientId: string, webhookUrl: string) {
  const { start, kind } = await facts(emulator, scenario)
  const client = await emulator.addClient({ clientId, webhookUrl, clock: { mode: 'manual', now: start } })
  await new Player(emulator, client).play(scenario, kind)
  return client
}

async function facts(emulator: TestEmulator, id: string) {
  const { json } = await emulator.control(`/scenarios/${id}`)
  const read = readScenarioFile(String(json.text), id, id)
  if ('problems' in read) throw new Error(`${id} is invalid: ${JSON.stringify(read.problems)}`)
  const { clock, for: kinds } = read.scenario
  return { start: clock ?? Date.parse(usualStart), kind: kinds?.[0] ?? 'checkout' }
}

/** Keeps the order of a client, and adds the file to the emulator.
 *  @returns the file and the id of its scenario */
async function kept(emulator: TestEmulator, client: TestClient): Promise<{ id: string; yaml: string }> {
  const { items } = await emulator.control(`/orders?clientId=${client.clientId}`)
  const { text: yaml } = await emulator.control(`/orders/${items[0]?.orderId}/scenario`)
  const id = /^id: (.*)$/m.exec(yaml)?.[1] ?? ''
  const path = `/_emulator/scenarios/${id}`
  const put = await emulator.send(path, {
    method: 'PUT',
    headers: { 'content-type': 'application/yaml' },
    body: yaml,
  })
  if (put.status > 299) throw new Error(`${yaml}\n${put.text}`)
  return { id, yaml }
}

/** The attempts of a client's webhooks in the order of their times, with the time since the order's creation. */
async function webhooksOf(
  emulator: TestEmulator,
  client: TestClient,
): Promise<{ at: number; what: string }[]> {
  const { items } = await emulator.control(`/orders?clientId=${client.clientId}`)
  const createdAt = Number(items[0]?.createdAt)
  const charges = new Map(items.map(({ orderId }, index) => [String(orderId), `charge ${index + 1}`]))
  const attempts = (await client.deliveries()).flatMap((delivery) =>
    attemptsOf(delivery)
      .filter(({ error }) => error !== 'not sent, on purpose')
      .map(({ at, outcome, status }) => ({
        at: Number(at) - createdAt,
        what: `${charges.get(String(delivery.orderId)) ?? 'charge 1'} ${contentOf(delivery)} ${outcome} ${status}`,
      })),
  )
  return attempts.toSorted((a, b) => a.at - b.at)
}

const attemptsOf = ({ attempts }: JsonObject): JsonObject[] => (Array.isArray(attempts) ? attempts : [])

function contentOf({ body, plan }: JsonObject): string {
  const { orderStatus, orderType, eventType, errorCode } = Object(body)
  return `${orderStatus} ${orderType} ${eventType} ${errorCode} ${faultsIn(plan)}`
}

/** The faults that the receiver can see; which attempts have them, the attempts themselves show. */
function faultsIn(plan: unknown): string {
  const { faults } = Object(plan)
  const all: JsonObject[] = Array.isArray(faults) ? faults : []
  const visible = all.map(({ sign, tamper, truncate }) => JSON.stringify({ sign, tamper, truncate }))
  return visible.filter((fault) => fault !== '{}').join()
}

/** What differs between two sequences of webhooks; null if nothing does. */
function difference(
  recorded: readonly { at: number; what: string }[],
  again: readonly { at: number; what: string }[],
): string | null {
  const lines = (list: typeof recorded) => list.map(({ at, what }) => `    ${at} ${what}`).join('\n')
  const isSame =
    recorded.length === again.length &&
    recorded.every(({ at, what }, index) => {
      const other = again[index]
      return other?.what === what && Math.abs(other.at - at) <= tolerableMs
    })
  return isSame ? null : `  recorded:\n${lines(recorded)}\n  played again:\n${lines(again)}`
}

test('an order that is kept and played again sends the same webhooks at the same times, in 95 of 100 cases', async () => {
  const emulator = await startTestEmulator({ seed: 'kept' })
  const receiver = await startReceiver()
  const scenarios = [...library, ...Array.from({ length: 100 - library.length }, () => 'chaos')]
  const unequal: string[] = []
  const play = async (scenario: string, index: number) => {
    const client = await played(emulator, scenario, `C${index}`, receiver.url)
    const { id, yaml } = await kept(emulator, client)
    const again = await played(emulator, id, `C${index}-again`, receiver.url)
    const found = difference(await webhooksOf(emulator, client), await webhooksOf(emulator, again))
    if (found !== null) unequal.push(`order ${index} of ${scenario}:\n${yaml}\n${found}`)
  }
  const waiting = [...scenarios.entries()]
  const line = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await play(next[1], next[0])
  }
  await Promise.all(Array.from({ length: 10 }, line))
  expect(scenarios).toHaveLength(100)
  expect(unequal.length, unequal.join('\n\n')).toBeLessThanOrEqual(5)
}, 240_000)

interface Acting {
  readonly emulator: TestEmulator
  readonly client: TestClient
  readonly receiver: Receiver
  readonly orderId: string
}

type Act = (acting: Acting) => Promise<unknown>

const advance =
  (by: string): Act =>
  ({ client }) =>
    client.advance(by)
const onOrder =
  (path: string, body: object): Act =>
  ({ emulator, orderId }) =>
    emulator.control(`/orders/${orderId}/${path}`, 'POST', body)
const control =
  (path: string, body: object): Act =>
  ({ emulator, client }) =>
    emulator.control(`${path}?clientId=${client.clientId}`, 'POST', body)
const resend =
  (orderStatus: string): Act =>
  async ({ emulator, client }) => {
    const delivery = (await client.deliveries()).find((one) => one.orderStatus === orderStatus)
    await emulator.control(`/deliveries/${delivery?.id}/resend`, 'POST')
    await client.settle()
  }
const answers =
  (first: number, ...others: number[]): Act =>
  async ({ receiver }) =>
    receiver.answerWith({ status: first }, ...others.map((status) => ({ status })))

const acts: readonly (readonly [name: string, scenario: string, acts: readonly Act[], line: RegExp])[] = [
  [
    'a payment by the control API',
    'payer-decides',
    [advance('40s'), onOrder('pay', { outcome: 'completed' })],
    /- \{ at: 40s, pay: completed \}\n {2}- \{ at: 43s, order: COMPLETED \}/,
  ],
  [
    'a declined payment',
    'payer-decides',
    [advance('40s'), onOrder('pay', { outcome: 'failed', errorCode: '9005' })],
    /- \{ at: 40s, pay: failed, error: "9005" \}/,
  ],
  [
    'a declined payment whose webhook is sent again',
    'payer-decides',
    [advance('40s'), onOrder('pay', { outcome: 'failed' }), advance('1m'), resend('FAILED')],
    /- \{ at: 40s, order: FAILED, error: "9004" \}\n {2}- \{ at: 100s, webhook: \{ \} \}|webhook: \{\}/,
  ],
  [
    'a partial refund and one that fails',
    'happy',
    [
      advance('1m'),
      onOrder('refunds', { fiatAmount: '3.50' }),
      advance('1m'),
      onOrder('refunds', { fiatAmount: '2.00', outcome: 'failed', errorCode: '9006.1' }),
    ],
    /- \{ at: 1m, refund: "3.50" \}\n {2}- \{ at: 2m, refund: "2.00", refundError: "9006.1" \}/,
  ],
  [
    'a webhook that is sent again',
    'happy',
    [advance('10m'), resend('CREATED')],
    /webhook: \{ status: CREATED/,
  ],
  [
    'a forged webhook by hand, in two copies',
    'never-pays',
    [
      advance('30s'),
      control('/deliveries', {
        event: { requestId: 'r1', orderStatus: 'COMPLETED' },
        sign: 'wrong',
        copies: 2,
      }),
    ],
    /- \{ at: 30s, webhook: \{ status: COMPLETED, sign: wrong, duplicate: 1, attempts: 1 \} \}/,
  ],
  [
    'a webhook by hand that is no event',
    'happy',
    [advance('30s'), control('/deliveries', { body: { requestId: 'r1', orderStatus: 'COMPLETE' } })],
    /webhook: \{ patch: \{ [^}]*orderId: null[^}]*orderStatus: COMPLETE,/,
  ],
  [
    'a webhook by hand with a field that no file can have',
    'happy',
    [advance('30s'), control('/deliveries', { body: '{"requestId":"r1","<<":1}' })],
    /webhook: \{ body: "\{\\"requestId\\":\\"r1\\",\\"<<\\":1\}"/,
  ],
  [
    'a hold that is released after ten minutes',
    'happy',
    [
      control('/deliveries/hold', { where: { orderStatus: 'COMPLETED' } }),
      advance('605s'),
      control('/deliveries/release', {}),
      advance('0s'),
    ],
    /\{ of: COMPLETED, delay: 10m \}/,
  ],
  [
    'a hold that is never released',
    'happy',
    [control('/deliveries/hold', { where: { orderStatus: 'COMPLETED' } }), advance('10m')],
    /# The webhook COMPLETED was on hold and was never sent\.[\s\S]*\{ of: COMPLETED, drop: true \}/,
  ],
  [
    'a planned fault of two attempts',
    'happy',
    [
      control('/faults', {
        on: 'delivery',
        where: { orderStatus: 'COMPLETED' },
        effect: { countAs: 503 },
        times: 2,
      }),
      advance('1m'),
    ],
    /\{ of: COMPLETED, countAs: 503, times: 2 \}/,
  ],
  [
    'a planned fault that duplicates',
    'happy',
    [
      control('/faults', {
        on: 'delivery',
        where: { orderStatus: 'COMPLETED' },
        effect: { duplicate: 2, apart: '5s' },
        times: 1,
      }),
      advance('1m'),
    ],
    /\{ of: COMPLETED, duplicate: 2, apart: 5s \}/,
  ],
  [
    'a planned fault that delays',
    'happy',
    [
      control('/faults', {
        on: 'delivery',
        where: { orderStatus: 'COMPLETED' },
        effect: { delay: '20m' },
        times: 1,
      }),
      advance('1h'),
    ],
    /\{ of: COMPLETED, delay: 20m \}/,
  ],
  [
    'a planned fault that drops',
    'happy',
    [
      control('/faults', {
        on: 'delivery',
        where: { orderStatus: 'COMPLETED' },
        effect: { drop: true },
        times: 1,
      }),
      advance('1h'),
    ],
    /\{ of: COMPLETED, drop: true \}/,
  ],
  [
    'an application that answers badly',
    'happy',
    [answers(500, 503, 503, 200), advance('1m')],
    /# Your application did not accept 3 attempts of the webhook COMPLETED[\s\S]*\{ of: COMPLETED, countAs: 503, times: 3 \}\n {2}- \{ of: COMPLETED, countAs: 500, times: 1 \}/,
  ],
  [
    'an application that accepts after the webhook was sent again',
    'happy',
    [answers(500), advance('6s'), answers(200), advance('100ms'), resend('COMPLETED')],
    /attempts: 2/,
  ],
  [
    'a subscription that is cancelled',
    'sub-trial-monthly',
    [advance('P2M'), control('/subscriptions/r1/cancel', {}), advance('P2M')],
    /cancel: true/,
  ],
]

describe('what was done by hand becomes a line of the file:', () => {
  test.each(acts)('%s', async (_, scenario, acts, line) => {
    const emulator = await startTestEmulator({ seed: 'kept' })
    const receiver = await startReceiver()
    const { start, kind } = await facts(emulator, scenario)
    const client = await emulator.addClient({
      webhookUrl: receiver.url,
      clock: { mode: 'manual', now: start },
      defaultScenario: scenario,
    })
    if (kind === 'subscription') await client.createSubscription('r1')
    else await client.createCheckout('r1')
    await client.settle()
    const { items } = await emulator.control(`/orders?clientId=${client.clientId}`)
    const orderId = String(items[0]?.orderId)
    for (const act of acts) await act({ emulator, client, receiver, orderId })
    await client.advance('1h')
    receiver.answerWith({ status: 200 })
    const { id, yaml } = await kept(emulator, client)
    expect(yaml).toMatch(line)
    const again = await played(emulator, id, 'again', receiver.url)
    expect(difference(await webhooksOf(emulator, client), await webhooksOf(emulator, again)), yaml).toBeNull()
  })
})
