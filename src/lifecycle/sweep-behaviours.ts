import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as z from 'zod'
import type { Decision } from '../domain/order/decision.ts'
import type { Order } from '../domain/order/order.ts'
import { isTerminal } from '../domain/order/statuses.ts'
import type { AppliedRule } from '../domain/scenario/answer-rules.ts'
import type { AnswerRule } from '../domain/scenario/scenario.ts'
import { versionOf } from '../domain/scenario/scenario.ts'
import { type Behaviour, type SweepOrder, showInOrders, withBehaviours } from '../domain/sweep/behaviour.ts'
import { behaviours } from '../domain/sweep/behaviours.ts'
import { after } from '../time/timers.ts'
import type { CatalogScenario } from './scenarios/catalog.ts'

/** The environment variable that names a sweep file: `{ "behaviours": ["webhook-twice"], "record": "/tmp/run-3",
 *  "seed": "a" }`. */
export const sweepVariable = 'EMULATOR_SWEEP'

const orderFile = z.strictObject({
  behaviours: z.array(z.string()),
  record: z.string().min(1),
  seed: z.string(),
})

/** Reads the sweep file that the environment names; undefined without one.
 *  @throws {Error} if the file cannot be read, or names an unknown behaviour */
export function sweepOrderIn(env: Readonly<Record<string, string | undefined>>): SweepOrder | undefined {
  const file = env[sweepVariable]
  if (file === undefined || file === '') return undefined
  const { behaviours: names, record, seed } = orderFile.parse(JSON.parse(readFileSync(file, 'utf8')))
  return { behaviours: names.map((name) => behaviourNamed(name, file)), record, seed }
}

function behaviourNamed(name: string, file: string): Behaviour {
  const found = behaviours.find((behaviour) => behaviour.name === name)
  if (found !== undefined) return found
  throw new Error(
    `${sweepVariable}: ${file} names the behaviour ${JSON.stringify(name)}, which does not exist`,
  )
}

/** Limits the failed calls in a row: an application that sends each retry with a new requestId must get through. */
const mostInARow = 3
/** Wall-clock milliseconds that a create call waits at most for the answer to a webhook. */
const mostMsForWebhook = 2_000

/** Where a behaviour of a sweep was applied. */
export interface Strike {
  readonly behaviour: string
  readonly clientId: string | null
  readonly requestId: string | null
}

/** The behaviours of a sweep, applied to every scenario of this emulator. Without behaviours, nothing changes. */
export class SweepBehaviours {
  #behaviours: readonly Behaviour[] = []
  #seed = ''
  readonly #onStrike: (strike: Strike) => void
  /** Scenarios with the behaviours applied, by version. */
  readonly #over = new Map<string, CatalogScenario>()
  /** The failed create calls in a row, by behaviour and client. */
  readonly #inARow = new Map<string, number>()
  /** The number of calls with each client's first token. */
  readonly #firstTokens = new Map<string, { token: string; calls: number }>()
  /** Resolved with the first webhook attempt of an order. */
  readonly #firstAttempts = new Map<string, PromiseWithResolvers<void>>()

  constructor(onStrike: (strike: Strike) => void) {
    this.#onStrike = onStrike
  }

  get names(): readonly string[] {
    return this.#behaviours.map(({ name }) => name)
  }

  /** Applies these behaviours from now on. Existing orders keep theirs.
   *  @param seed decides random choices */
  play(behaviours: readonly Behaviour[], seed: string): void {
    this.#behaviours = behaviours
    this.#seed = seed
    this.#over.clear()
    this.#inARow.clear()
    this.#firstTokens.clear()
  }

  /** Applies the behaviours of the sweep to a scenario. */
  over(found: CatalogScenario): CatalogScenario {
    if (this.#behaviours.length === 0) return found
    const known = this.#over.get(found.version)
    if (known !== undefined) return known
    const scenario = withBehaviours(found.scenario, this.#behaviours)
    const made = { ...found, scenario, version: versionOf(scenario) }
    this.#over.set(found.version, made)
    return made
  }

  /** Whether a rule may answer a call. A behaviour fails a few create calls of a client in a row, then lets one
   *  through. */
  allows({ by, on }: AnswerRule, clientId: string): boolean {
    if (by === undefined || !on.includes('create-order')) return true
    const key = JSON.stringify([by, clientId])
    if ((this.#inARow.get(key) ?? 0) < mostInARow) return true
    this.#inARow.delete(key)
    return false
  }

  /** Records that a rule of a behaviour has answered a call. */
  answered({ by, on, times }: AnswerRule, clientId: string, requestId: string): void {
    if (by === undefined) return
    const key = JSON.stringify([by, clientId])
    if (on.includes('create-order') && times !== null) this.#inARow.set(key, (this.#inARow.get(key) ?? 0) + 1)
    this.#onStrike({ behaviour: by, clientId, requestId })
  }

  /** Records a committed decision, in which behaviours may show. */
  committed({ order, events }: Decision): void {
    if (this.#behaviours.length === 0) return
    const { clientId, requestId, orderId } = order
    const shown = new Set(events.flatMap(({ plan }) => plan?.by ?? []))
    if (order.version === 1)
      for (const behaviour of this.#behaviours) if (showInOrders(behaviour)) shown.add(behaviour.name)
    for (const behaviour of shown) this.#onStrike({ behaviour, clientId, requestId })
    if (events.some(({ status, dueAt }) => status === 'pending' && dueAt !== null))
      this.#firstAttempts.set(orderId, this.#firstAttempts.get(orderId) ?? Promise.withResolvers())
  }

  /** Records that a webhook attempt of an order has ended. */
  attempted(orderId: string): void {
    this.#firstAttempts.get(orderId)?.resolve()
    this.#firstAttempts.delete(orderId)
  }

  /** Resolves once a webhook of the order was answered, or at once if none is on its way. */
  async webhookOf({ orderId }: Pick<Order, 'orderId'>): Promise<void> {
    const first = this.#firstAttempts.get(orderId)
    if (first === undefined) return
    const cancel = after(mostMsForWebhook, first.resolve)
    await first.promise
    cancel()
  }

  /** The wall-clock milliseconds of the n-th slow answer about a requestId, from 50 to 400, by the seed. */
  slowMs({ operation, requestId, n }: Pick<AppliedRule, 'operation' | 'requestId' | 'n'>): number {
    const lot = hash('sha256', JSON.stringify([this.#seed, operation, requestId, n])).slice(0, 8)
    return 50 + (Number.parseInt(lot, 16) % 351)
  }

  /** Records that a client got an access token. */
  tokenGiven(clientId: string, token: string): void {
    if (this.#tokenBehaviour === undefined || this.#firstTokens.has(clientId)) return
    this.#firstTokens.set(clientId, { token, calls: 0 })
  }

  /** Whether a call with this token is rejected as if the token had expired. */
  refusesToken(clientId: string, token: string): boolean {
    const first = this.#firstTokens.get(clientId)
    const behaviour = this.#tokenBehaviour
    if (behaviour === undefined || first?.token !== token) return false
    first.calls += 1
    if (first.calls === 1) return false
    this.#onStrike({ behaviour: behaviour.name, clientId, requestId: null })
    return true
  }

  get #tokenBehaviour(): Behaviour | undefined {
    return this.#behaviours.find(({ tokenExpires }) => tokenExpires)
  }
}

/** The standing of orders as rules see it; the first order decides. */
export function phaseOf(orders: readonly Order[]): 'open' | 'final' | undefined {
  const [order] = orders
  if (order === undefined) return undefined
  if (isTerminal(order.orderStatus)) return 'final'
  return order.orderStatus === 'CREATED' ? 'open' : undefined
}
