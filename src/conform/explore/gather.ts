import type { Delivery } from '../../index.ts'
import type { Seen } from '../application/application.ts'
import type { Pulse } from '../application/pulse.ts'
import { leaksInCalls } from '../evidence/leaks.ts'
import { inWords, isTaken } from '../evidence/webhook-answer.ts'
import { WrongConfiguration } from '../finding.ts'
import type { Setting } from '../stage/case-context.ts'
import { eachOf, until } from '../stage/waiting.ts'
import { callsAfter } from './calls-after.ts'
import { moved } from './moves.ts'
import type { PlayedOrder } from './played-order.ts'
import { type Evidence, isOwed } from './promises.ts'

/** Longer than the service retries a failed webhook. */
const allRetries = '20m'
/** The most calls of the application's job before an order counts as lost. */
const jobs = 3
const atOnce = 16

interface Gathering {
  readonly orders: readonly PlayedOrder[]
  /** The last call before the stories. */
  readonly since: string | null
  readonly pulse: Pulse
}

/** Gives everything its time (retries, jobs, polling), and says what the stories have shown of their orders. */
export async function gather(setting: Setting, gathering: Gathering): Promise<Evidence[]> {
  const { app, client } = setting
  const { orders, since, pulse } = gathering
  await moved(setting, allRetries, pulse)
  let seen = await afterAll(setting, orders)
  const owed = () => orders.filter((order) => isOwed({ ...order, seen: seen.get(order) ?? null }))
  for (let job = 1; job <= jobs && owed().length > 0; job++) {
    await app.reconcile?.().catch(ignoreRefusal)
    const withinMs = Math.max(app.patienceMs, app.pollingMs) / jobs
    await until(
      async () => {
        seen = await lookedAt(orders)
        return owed().length === 0
      },
      withinMs,
      setting.signal,
    )
  }
  const refused = await stillRefused(setting, orders)
  const calls = await callsAfter(client, since)
  const leaks = leaksInCalls(calls, client)
  const answers = await pulse()
  return orders.map((order) => ({
    story: order.story,
    requestId: order.requestId,
    amount: app.takes('amount') ? order.given.amount : null,
    before: order.before,
    seen: seen.get(order) ?? null,
    refused: refused.get(order.requestId) ?? [],
    ...{ calls, leaks, answers },
  }))
}

/** Looks at the orders once the application has had its time to act a second time. */
async function afterAll(
  { app, signal }: Setting,
  orders: readonly PlayedOrder[],
): Promise<Map<PlayedOrder, Seen | null>> {
  await until(async () => false, app.actsWithinMs, signal)
  return lookedAt(orders)
}

async function lookedAt(orders: readonly PlayedOrder[]): Promise<Map<PlayedOrder, Seen | null>> {
  const all = await eachOf(orders, async (order) => [order, await order.probe()] as const, atOnce)
  return new Map(all)
}

/** The genuine webhooks that are not accepted even when they are sent once more, in words, by requestId. */
async function stillRefused(
  { client, app, signal }: Setting,
  orders: readonly PlayedOrder[],
): Promise<Map<string, string[]>> {
  const names = new Set(orders.map(({ requestId }) => requestId))
  const forged = new Set(orders.flatMap((order) => [...order.forged]))
  const dead = await client.deliveries.list({ status: 'dead', order: 'newest', limit: 4 * atOnce })
  const genuine = dead.filter(({ id, requestId }) => names.has(requestId) && !forged.has(id))
  const refused = new Map<string, string[]>()
  for (const delivery of genuine) {
    let last: Delivery = delivery
    const isAccepted = async () => {
      await client.deliveries.resend(delivery.id)
      await client.clock.settle()
      last = await client.deliveries.get(delivery.id)
      return last.attempts.slice(-1).some(isTaken)
    }
    if (await until(isAccepted, app.patienceMs, signal)) continue
    const [attempt] = last.attempts.slice(-1)
    const words = `to the webhook of ${delivery.orderStatus} it ${attempt === undefined ? 'gave no answer' : inWords(attempt)}, however often it was sent`
    refused.set(delivery.requestId, [...(refused.get(delivery.requestId) ?? []), words])
  }
  return refused
}

/** A job may fail while its calls do. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof WrongConfiguration)) throw error
}
