import { ControlCallRefused, type Delivery } from '../../index.ts'
import type { Seen } from '../application/application.ts'
import type { Pulse } from '../application/pulse.ts'
import { leaksInCalls } from '../evidence/leaks.ts'
import { inWords, isTaken } from '../evidence/webhook-answer.ts'
import type { Setting } from '../stage/case-context.ts'
import { eachOf, until } from '../stage/waiting.ts'
import { callsAfter } from './calls-after.ts'
import { moved, reconciled } from './moves.ts'
import { ordersAtOnce, type PlayedOrder } from './played-order.ts'
import { type Evidence, isOwed } from './promises.ts'

/** Longer than the service retries a failed webhook. */
const allRetries = '20m'
/** The most calls of the application's job before an order counts as lost. */
const jobs = 3
/** How many webhooks that were given up are looked at, newest first. */
const mostDead = 64
/** How long a brief look waits for a second act of the application, wall-clock milliseconds. */
const momentMs = 40

interface Gathering {
  readonly orders: readonly PlayedOrder[]
  /** The last call before the stories. */
  readonly since: string | null
  readonly pulse: Pulse
  /** Whether it is enough that the application has had a moment to act a second time. */
  readonly brief: boolean
  /** Whether what is not done yet gets only a part of the time that the configuration allows. */
  readonly hasty: boolean
}

/** Gives everything its time (retries, jobs, polling), and says what the stories have shown of their orders. */
export async function gather(
  setting: Setting,
  gathering: Gathering,
): Promise<ReadonlyMap<PlayedOrder, Evidence>> {
  const { app, client } = setting
  const { orders, since, pulse, brief, hasty } = gathering
  await moved(setting, allRetries, pulse)
  let seen: ReadonlyMap<PlayedOrder, Seen | null> = new Map()
  const isDone = () =>
    !orders.some((order) =>
      isOwed({ story: order.story, before: order.before, seen: seen.get(order) ?? null }),
    )
  const isSettled = async () => {
    seen = await lookedAt(orders)
    return isDone()
  }
  await until(isSettled, app.actsWithinMs, setting.signal)
  await until(async () => false, brief ? momentMs : app.actsWithinMs, setting.signal)
  seen = await lookedAt(orders)
  const withinMs = hasty ? shortMs(setting) : longestMs(setting)
  for (let job = 1; job <= jobs && !isDone(); job++) {
    await reconciled(setting)
    await until(isSettled, withinMs / jobs, setting.signal)
  }
  const refused = await stillRefused(setting, orders, hasty ? shortMs(setting) : app.patienceMs)
  const { calls, areAll } = await callsAfter(client, since)
  const leaks = leaksInCalls(calls, client)
  const answers = await pulse()
  const evidenceOf = (order: PlayedOrder): Evidence => ({
    story: order.story,
    requestId: order.requestId,
    unique: order.given.unique,
    amount: app.takes('amount') ? order.given.amount : null,
    before: order.before,
    seen: seen.get(order) ?? null,
    refused: refused.get(order.requestId) ?? [],
    unanswered: order.unanswered,
    knowsAllCalls: areAll,
    ...{ calls, leaks, answers },
  })
  return new Map(orders.map((order) => [order, evidenceOf(order)]))
}

/** How long the application may need to notice a payment at most, wall-clock milliseconds. */
const longestMs = ({ app }: Setting): number =>
  app.reconcile !== null && !app.saysItPolls ? app.patienceMs : Math.max(app.patienceMs, app.pollingMs)

/** How long is enough for an application that is known not to notice it. */
const shortMs = ({ app }: Setting): number => 3 * app.actsWithinMs

async function lookedAt(orders: readonly PlayedOrder[]): Promise<Map<PlayedOrder, Seen | null>> {
  const all = await eachOf(orders, async (order) => [order, await order.probe()] as const, ordersAtOnce)
  return new Map(all)
}

/** The genuine webhooks that are not accepted even when they are sent once more, in words, by requestId. */
async function stillRefused(
  { client, signal }: Setting,
  orders: readonly PlayedOrder[],
  withinMs: number,
): Promise<Map<string, string[]>> {
  const names = new Set(orders.map(({ requestId }) => requestId))
  const forged = new Set(orders.flatMap((order) => [...order.forged]))
  const dead = await client.deliveries.list({ status: 'dead', order: 'newest', limit: mostDead })
  const genuine = dead.filter(({ id, requestId }) => names.has(requestId) && !forged.has(id))
  const refused = new Map<string, string[]>()
  for (const delivery of genuine) {
    let last: Delivery = delivery
    const isAccepted = async () => {
      await client.deliveries.resend(delivery.id).catch(ignoreConflict)
      await client.clock.settle()
      last = await client.deliveries.get(delivery.id)
      return last.attempts.slice(-1).some(isTaken)
    }
    if (await until(isAccepted, withinMs, signal)) continue
    const [attempt] = last.attempts.slice(-1)
    const words = `to the webhook of ${delivery.orderStatus} it ${attempt === undefined ? 'gave no answer' : inWords(attempt)}, however often it was sent`
    refused.set(delivery.requestId, [...(refused.get(delivery.requestId) ?? []), words])
  }
  return refused
}

/** A webhook may be under way still, or paused since the application has answered 410. */
function ignoreConflict(error: unknown): void {
  if (!(error instanceof ControlCallRefused) || error.status !== 409) throw error
}
