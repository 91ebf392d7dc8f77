import { after, pause } from '../../time/timers.ts'
import type { Pulse } from '../application/pulse.ts'
import { lastCallOf } from '../stage/call-journal.ts'
import type { Setting } from '../stage/case-context.ts'
import { eachOf } from '../stage/waiting.ts'
import { type ActName, scopeOf, takesMs } from './acts.ts'
import { moved, reconciled, restarted } from './moves.ts'
import { ordersAtOnce, type PlayedOrder } from './played-order.ts'
import { type Batch, type Story, skeletonOf, timesOf } from './story.ts'
import type { Watch } from './watch.ts'

/** How long the lookups of acts at the same moment are held, on the client's clock. */
const heldMs = 500
/** How long the application has at most to make its lookups meanwhile, wall-clock milliseconds. */
const mostGatherMs = 200
/** How long an application may take to answer, beyond its patience: it may repeat its own calls. */
const longestAnswerMs = 10_000

/** Plays the steps of stories that run beside each other. */
export class Rounds {
  readonly #setting: Setting
  readonly #orders: readonly PlayedOrder[]
  readonly #pulse: Pulse
  readonly #hasty: boolean
  readonly #skeleton: Story
  readonly #times: readonly number[]
  /** How far the clock has moved since the creation, milliseconds. */
  #nowMs = 0

  constructor(
    setting: Setting,
    about: {
      readonly orders: readonly PlayedOrder[]
      readonly batch: Batch
      readonly pulse: Pulse
      /** Whether an application that gives no answer is waited for only shortly. */
      readonly hasty: boolean
    },
  ) {
    const { orders, batch, pulse, hasty } = about
    this.#setting = setting
    this.#pulse = pulse
    this.#hasty = hasty
    this.#orders = orders
    this.#skeleton = skeletonOf(batch[0] ?? [])
    const longest = batch.reduce<Story>((most, story) => (story.length > most.length ? story : most), [])
    this.#times = timesOf(longest)
  }

  async play(watch: Watch | null): Promise<void> {
    await this.#quiet()
    await watch?.look()
    for (const index of [...this.#times.keys()].slice(1)) {
      await this.#round(index)
      await this.#quiet()
      await watch?.look()
    }
    await eachOf(this.#orders, (order) => order.release(), ordersAtOnce)
    await this.#setting.client.faults.clear()
    // An application that was asked to wait does so on its own clock.
    const wasLimited = this.#skeleton.flat().includes('lookups answer 429')
    if (wasLimited) await this.#pause(1_100)
  }

  async #round(index: number): Promise<void> {
    const shared = (this.#skeleton[index] ?? []).filter((act) => scopeOf(act) === 'client')
    if (index > 1 && this.#skeleton[index]?.includes('pay'))
      await eachOf(
        this.#orders,
        async (order) => {
          order.before = await order.probe()
        },
        ordersAtOnce,
      )
    const held = await this.#holdLookups(index)
    await this.#moveTo(this.#times[index] ?? 0)
    const acts = [
      ...shared.map((act) => this.#answered(this.#orders, act, this.#shared(act, index))),
      ...this.#orders.flatMap((order) =>
        (order.story[index] ?? [])
          .filter((act) => scopeOf(act) === 'order')
          .map((act) => this.#answered([order], act, this.#own(order, act, index))),
      ),
    ]
    if (held === null) await Promise.all(acts)
    else await this.#letLookupsGo(held, Promise.all(acts))
  }

  /** Waits for an act, and notes if the application gives no answer in its time. */
  async #answered(orders: readonly PlayedOrder[], act: ActName, acting: Promise<void>): Promise<void> {
    const { promise: over, resolve } = Promise.withResolvers<'over'>()
    const cancel = after(this.#answerMs, () => resolve('over'))
    try {
      if ((await Promise.race([acting, over])) !== 'over') return
      for (const order of orders) order.unanswered.push(act)
      // It ends at the latest when the application is started again.
      acting.catch(() => undefined)
    } finally {
      cancel()
    }
  }

  /** How long an application may take to answer an act, wall-clock milliseconds. */
  get #answerMs(): number {
    return this.#setting.app.patienceMs + (this.#hasty ? 1_000 : longestAnswerMs)
  }

  /** Holds all lookups in a step in which an order has several acts, so that all of them are at work when the lookups
   *  are answered.
   *  @returns the id of the fault; null if there is no such order */
  async #holdLookups(index: number): Promise<string | null> {
    if (this.#orders.every(({ story }) => (story[index]?.length ?? 0) < 2)) return null
    const { id } = await this.#setting.client.faults.plan({
      on: ['orders', 'crypto-orders'],
      effect: { delay: `${heldMs}ms` },
      for: '1h',
    })
    return id
  }

  async #letLookupsGo(fault: string, acts: Promise<unknown>): Promise<void> {
    // Prevents an unhandled rejection if the clock does not move.
    acts.catch(() => undefined)
    await this.#untilHeld(fault)
    await this.#setting.client.faults.remove(fault)
    await this.#moveTo(this.#nowMs + heldMs)
    await acts
  }

  /** Waits until the application makes no more lookups, which are all held. */
  async #untilHeld(fault: string): Promise<void> {
    const { client, app } = this.#setting
    let before = 0
    for (let waitedMs = 0; waitedMs < Math.min(app.actsWithinMs, mostGatherMs); waitedMs += quietMs) {
      await this.#pause(quietMs)
      const { hits } = await client.faults.get(fault)
      if (hits > 0 && hits === before) return
      before = hits
    }
  }

  async #own(order: PlayedOrder, act: ActName, index: number): Promise<void> {
    if (act !== 'lookups are stale') await order.act(act)
    else
      await this.#setting.client.faults.plan({
        on: ['orders', 'crypto-orders'],
        where: { requestId: order.requestId },
        effect: { stale: true },
        ...this.#untilNext(index),
      })
  }

  async #shared(act: ActName, index: number): Promise<void> {
    const { client } = this.#setting
    const effect = lookupAnswers[act]
    if (effect !== undefined)
      await client.faults.plan({
        on: ['orders', 'crypto-orders', 'fiat-refunds'],
        effect,
        ...this.#untilNext(index),
      })
    else if (act === 'reconcile') await reconciled(this.#setting)
    else if (act === 'tokens expire') await client.expireTokens()
    else if (act === 'restart') await restarted(this.#setting)
    // Of other acts, the move of the clock was the act.
    else if (takesMs(act) <= 1_000) throw new Error(`${act} is no act of all orders`)
  }

  /** As long as the next step takes. */
  #untilNext(index: number) {
    const [now = 0, next = now + 1_000] = this.#times.slice(index, index + 2)
    return { times: null, for: `${next - now + heldMs}ms` } as const
  }

  async #moveTo(timeMs: number): Promise<void> {
    const byMs = Math.max(0, timeMs - this.#nowMs)
    this.#nowMs += byMs
    await moved(this.#setting, `${byMs}ms`, this.#pulse)
  }

  /** Waits until webhooks are answered and the application makes no more calls. */
  async #quiet(): Promise<void> {
    const { client } = this.#setting
    await client.clock.settle()
    let last = await lastCallOf(client)
    for (let look = 1; look <= 20; look++) {
      await this.#pause(quietMs)
      const now = await lastCallOf(client)
      if (now === last) return
      last = now
    }
  }

  async #pause(ms: number): Promise<void> {
    this.#setting.signal?.throwIfAborted()
    await pause(ms)
  }
}

/** How long an application that makes no call counts as quiet, wall-clock milliseconds. */
const quietMs = 8

/** What lookups answer during an act. */
const lookupAnswers: Partial<Readonly<Record<ActName, Readonly<Record<string, unknown>>>>> = {
  'lookups answer 503': { status: 503 },
  'lookups answer 429': { status: 429, retryAfter: 1 },
  'lookups answer HTML': {
    status: 200,
    body: '<!doctype html><title>Please wait</title><p>One moment, please.',
    headers: { 'content-type': 'text/html' },
  },
}
