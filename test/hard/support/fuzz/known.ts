import { isObject } from '../../../support/answer.ts'
import type { Chance } from './chance.ts'

/** The id of the scenario that is put, again and again. */
export const ownScenario = 'fuzzed'

/** How many values of each kind are remembered. */
const keepAtMost = 40

/** A client whose credentials are known. */
export interface KnownClient {
  readonly clientId: string
  readonly apiSecret: string
  readonly accessToken: string
}

/** Values from earlier answers, so that later requests name existing objects. */
export class Known {
  /** Where webhooks may go. */
  readonly receiverUrl: string
  readonly #values = new Map<string, string[]>()
  readonly #scenarios: readonly string[]
  #clients: KnownClient[] = []

  /** @param scenarios ids of scenarios that orders may follow */
  constructor(receiverUrl: string, scenarios: readonly string[]) {
    this.receiverUrl = receiverUrl
    this.#scenarios = scenarios
  }

  /** Looks through an answer for names of things. */
  learn(value: unknown): void {
    if (Array.isArray(value)) for (const each of value.slice(-5)) this.learn(each)
    if (!isObject(value)) return
    const { clientId, apiSecret, accessToken } = value
    if (typeof clientId === 'string' && typeof apiSecret === 'string' && typeof accessToken === 'string')
      this.#clients = [...this.#clients.slice(-20), { clientId, apiSecret, accessToken }]
    for (const [name, member] of Object.entries(value)) {
      if (typeof member === 'string' && names.has(name)) this.#remember(name, member)
      else this.learn(member)
    }
  }

  client(chance: Chance): KnownClient {
    return chance.pick(this.#clients) ?? demo
  }

  /** A client is gone; without an id, all are. */
  forget(clientId?: string): void {
    this.#clients = clientId === undefined ? [] : this.#clients.filter((each) => each.clientId !== clientId)
  }

  /** The client of that id, if its credentials are known. */
  clientNamed(clientId: unknown): KnownClient | undefined {
    return this.#clients.find((client) => client.clientId === clientId)
  }

  /** A value for a member of this name; undefined if its name says nothing. */
  valueFor(name: string, chance: Chance): unknown {
    const special = bounded[name]
    if (special !== undefined) return chance.pick(special)
    if (urls.has(name)) return this.receiverUrl
    if (name === 'ownScenario' && chance.yes(0.8)) return ownScenario
    if (name === 'scenario' || name === 'defaultScenario') return chance.pick(this.#scenarios)
    if (name === 'requestId' && chance.yes(0.4)) return `r${chance.below(1_000_000)}`
    if (name === 'clientId' && chance.yes(0.9)) return this.client(chance).clientId
    const values = this.#values.get(name)
    return values === undefined || chance.yes(0.1) ? undefined : chance.pick(values)
  }

  #remember(name: string, value: string): void {
    const values = this.#values.get(name) ?? []
    if (values.length >= keepAtMost) values.shift()
    values.push(value)
    this.#values.set(name, values)
  }
}

const names = new Set([
  'clientId',
  'orderId',
  'requestId',
  'id',
  'webhookId',
  'refundId',
  'userKey',
  'token',
  'next',
])

const urls = new Set(['webhookUrl', 'url', 'callbackUrl', 'redirectUrl', 'publicBaseUrl'])

/** Members of which few values would fit by chance, or would take up the time there is. */
const bounded: Readonly<Record<string, readonly unknown[]>> = {
  timeoutMs: [1, 40, 100],
  by: ['0s', '1s', '5s', '10m', '1h', 'P1D'],
  speed: [1, 60],
  userId: ['3f2504e0-4f89-41d3-9a0c-0305e82c3301', '3f2504e0-4f89-41d3-9a0c-0305e82c3302'],
  lang: ['en', 'de'],
  interval: ['MONTHLY'],
  orderType: ['CHECKOUT', 'PAYOUT', 'CRYPTOPAYIN'],
  phoneNumber: ['+15551234567'],
  fiatAmount: ['10.00', '1.00', '5', '0.50'],
  currencyId: ['usd_us'],
}

const demo: KnownClient = { clientId: 'demo-client', apiSecret: 'demo-secret', accessToken: 'demo-token' }
