import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as z from 'zod'
import type { Decision } from '../domain/order/decision.ts'
import type { Order } from '../domain/order/order.ts'
import { isTerminal } from '../domain/order/statuses.ts'
import type { AnswerFault } from '../domain/scenario/answer-faults.ts'
import type { AnswerRule } from '../domain/scenario/scenario.ts'
import { versionOf } from '../domain/scenario/scenario.ts'
import { type Behaviour, playedOver, type SweepOrder, showInOrders } from '../domain/sweep/behaviour.ts'
import { behaviours } from '../domain/sweep/behaviours.ts'
import { after } from '../time/timers.ts'
import type { CatalogScenario } from './scenarios/catalog.ts'

/** The variable that names a file with an order: `{ "behaviours": ["webhook-twice"], "record": "/tmp/run-3", "seed": "a" }`. */
export const sweepVariable = 'EMULATOR_SWEEP'

const orderFile = z.strictObject({
  behaviours: z.array(z.string()),
  record: z.string().min(1),
  seed: z.string(),
})

/** Reads the order of a sweep from the environment; undefined where there is none.
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

/** An application that gives each new attempt another requestId must not be starved. */
const mostInARow = 3
/** A webhook that nobody answers must not hold a create call for ever; wall milliseconds. */
const mostMsForWebhook = 2_000

/** Where a behaviour showed. */
export interface Strike {
  readonly behaviour: string
  readonly clientId: string | null
  readonly requestId: string | null
}

/** The behaviours of a sweep that this emulator plays over every scenario. Without any, it changes nothing. */
export class SweepBehaviours {
  #behaviours: readonly Behaviour[] = []
  #seed = ''
  readonly #onStrike: (strike: Strike) => void
  /** By the version of the scenario that it is played over. */
  readonly #over = new Map<string, CatalogScenario>()
  /** How many create calls in a row each behaviour has struck, by behaviour and client. */
  readonly #inARow = new Map<string, number>()
  /** Calls with the first token that each client got. */
  readonly #firstTokens = new Map<string, { token: string; calls: number }>()
  /** Resolved with the first attempt of an order's webhook. */
  readonly #firstAttempts = new Map<string, PromiseWithResolvers<void>>()

  constructor(onStrike: (strike: Strike) => void) {
    this.#onStrike = onStrike
  }

  get names(): readonly string[] {
    return this.#behaviours.map(({ name }) => name)
  }

  /** Plays these from now on, and no others. Orders go on under those that they began with.
   *  @param seed draws what is left to chance */
  play(behaviours: readonly Behaviour[], seed: string): void {
    this.#behaviours = behaviours
    this.#seed = seed
    this.#over.clear()
    this.#inARow.clear()
    this.#firstTokens.clear()
  }

  /** A scenario with the behaviours played over it. */
  over(found: CatalogScenario): CatalogScenario {
    if (this.#behaviours.length === 0) return found
    const known = this.#over.get(found.version)
    if (known !== undefined) return known
    const scenario = playedOver(found.scenario, this.#behaviours)
    const made = { ...found, scenario, version: versionOf(scenario) }
    this.#over.set(found.version, made)
    return made
  }

  /** Whether a rule may answer a call: a behaviour strikes a few create calls of a client in a row, and then lets one
   *  through. */
  allows({ by, on }: AnswerRule, clientId: string): boolean {
    if (by === undefined || !on.includes('create-order')) return true
    const key = JSON.stringify([by, clientId])
    if ((this.#inARow.get(key) ?? 0) < mostInARow) return true
    this.#inARow.delete(key)
    return false
  }

  /** A rule of a behaviour has answered a call. */
  answered({ by, on, times }: AnswerRule, clientId: string, requestId: string): void {
    if (by === undefined) return
    const key = JSON.stringify([by, clientId])
    if (on.includes('create-order') && times !== null) this.#inARow.set(key, (this.#inARow.get(key) ?? 0) + 1)
    this.#onStrike({ behaviour: by, clientId, requestId })
  }

  /** A decision about an order has been committed. */
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

  /** An attempt of an order's webhook has ended. */
  attempted(orderId: string): void {
    this.#firstAttempts.get(orderId)?.resolve()
    this.#firstAttempts.delete(orderId)
  }

  /** Resolves once a webhook of the order has been answered, at once if none is on its way. */
  async webhookOf({ orderId }: Pick<Order, 'orderId'>): Promise<void> {
    const first = this.#firstAttempts.get(orderId)
    if (first === undefined) return
    const cancel = after(mostMsForWebhook, first.resolve)
    await first.promise
    cancel()
  }

  /** How long a slow answer takes: wall milliseconds from 50 to 400, drawn by the seed for the n-th such answer about a
   *  requestId. */
  slowMs({ operation, requestId, n }: Pick<AnswerFault, 'operation' | 'requestId' | 'n'>): number {
    const lot = hash('sha256', JSON.stringify([this.#seed, operation, requestId, n])).slice(0, 8)
    return 50 + (Number.parseInt(lot, 16) % 351)
  }

  /** A client has been given a token. */
  tokenGiven(clientId: string, token: string): void {
    if (this.#tokenBehaviour === undefined || this.#firstTokens.has(clientId)) return
    this.#firstTokens.set(clientId, { token, calls: 0 })
  }

  /** Whether a call with this token of the client is refused as if it had expired. */
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

/** How an order stands, as rules ask for it: of several orders the first decides. */
export function standingOf(orders: readonly Order[]): 'open' | 'final' | undefined {
  const [order] = orders
  if (order === undefined) return undefined
  if (isTerminal(order.orderStatus)) return 'final'
  return order.orderStatus === 'CREATED' ? 'open' : undefined
}
