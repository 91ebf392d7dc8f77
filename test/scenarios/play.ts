import { type Answer, isObject, type JsonObject } from '../support/answer.ts'
import { type Ledger, paths, type TestClient } from '../support/client.ts'
import type { TestEmulator } from '../support/emulator.ts'

/** The observations of an application in a scenario, as lines with the time since the first call. */
export interface Play {
  readonly calls: readonly string[]
  readonly lookups: readonly string[]
  readonly ledgers: readonly Ledger[]
}

const requestId = 'r1'
const mostStops = 300
const mostCreates = 4
/** How long it goes on looking things up after the last thing has happened, once a minute. */
const lastLookups = 3

/** An application that does what a careful one does: it creates an order, looks it up whenever something is due,
 *  gets a new token when the old one is refused, creates again when it has no 200, and pays where a payer is
 *  waited for. */
export class Player {
  readonly #emulator: TestEmulator
  readonly #client: TestClient
  readonly #calls: string[] = []
  readonly #lookups: string[] = []
  readonly #ledgers: Ledger[] = []
  #token: string | null = null
  #started = 0
  #seen = ''

  constructor(emulator: TestEmulator, client: TestClient) {
    this.#emulator = emulator
    this.#client = client
  }

  async play(scenario: string, kind: string): Promise<Play> {
    this.#started = await this.#client.now()
    for (let tries = 1; tries <= mostCreates; tries++) {
      const created = this.#create(scenario, kind)
      await this.#live()
      const answer = await created
      this.#calls.push(`create -> ${answer}`)
      if (answer.startsWith('200') || answer.startsWith('201') || answer.includes('7001')) break
    }
    await this.#live()
    for (let i = 0; i < lastLookups; i++) {
      await this.#stop(await this.#client.advance('1m'))
      await this.#live()
    }
    return { calls: this.#calls, lookups: this.#lookups, ledgers: this.#ledgers }
  }

  /** Goes from due moment to due moment until nothing is due any more, and pays where that is waited for. */
  async #live(): Promise<void> {
    let ledger = await this.#client.advance('0s')
    for (let stops = 0; stops < mostStops; stops++) {
      await this.#stop(ledger)
      if (ledger.nextDueAt === null) {
        if (!(await this.#payIfAwaited())) return
        ledger = await this.#client.advance('0s')
      } else {
        ledger = await this.#client.advance(`${ledger.nextDueAt - ledger.now}ms`)
      }
    }
    throw new Error(`nothing came to an end within ${mostStops} stops`)
  }

  async #stop(ledger: Ledger): Promise<void> {
    this.#ledgers.push(ledger)
    const lines: string[] = []
    for (const path of [paths.fiat, paths.crypto, paths.refunds]) lines.push(await this.#lookUp(path))
    const text = lines.join('\n')
    if (text !== this.#seen) this.#lookups.push(`${this.#since(ledger.now)}\n${text}`)
    this.#seen = text
  }

  async #lookUp(path: string): Promise<string> {
    const name = path.split('/').at(-1)
    const query = { requestId, clientId: this.#client.clientId }
    const answer = await this.#client.lookUp(path, query, this.#with())
    if (answer.status !== 401) return `  ${name}: ${inWords(answer)}`
    this.#token = await this.#client.issueToken()
    const again = await this.#client.lookUp(path, query, this.#with())
    return `  ${name}: 401, with a new token ${inWords(again)}`
  }

  async #payIfAwaited(): Promise<boolean> {
    const { items } = await this.#emulator.control(
      `/orders?clientId=${this.#client.clientId}&requestId=${requestId}`,
    )
    const [order] = items
    if (order === undefined || !Array.isArray(order.timeline)) return false
    const [next] = order.timeline.filter((step) => step.doneAt === null)
    if (next?.what !== 'pay completed' || next.dueAt !== null) return false
    const now = await this.#client.now()
    await this.#emulator.control(`/orders/${order.orderId}/pay`, 'POST', { outcome: 'completed' })
    this.#calls.push(`${this.#since(now)} pay completed`)
    return true
  }

  async #create(scenario: string, kind: string): Promise<string> {
    const { clientId } = this.#client
    if (kind === 'payout' || kind === 'crypto-payin') {
      const { status } = await this.#emulator.control('/orders', 'POST', {
        clientId,
        requestId,
        kind,
        scenario,
      })
      return String(status)
    }
    const options = { headers: { 'emulator-scenario': scenario, ...this.#with().headers } }
    const call = kind === 'subscription' ? 'createSubscription' : 'createCheckout'
    return this.#client[call](requestId, options).then(
      inWords,
      (error: Error) => `no answer (${codeOf(error)})`,
    )
  }

  #with() {
    return { headers: this.#token === null ? {} : { 'access-token': this.#token } }
  }

  #since(at: number): string {
    return since(at - this.#started)
  }
}

/** `+1d2h3s`. */
export function since(ms: number): string {
  const units = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['m', 60_000],
    ['s', 1_000],
    ['ms', 1],
  ] as const
  let rest = ms
  const parts = units.flatMap(([unit, size]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return count === 0 ? [] : [`${count}${unit}`]
  })
  return `+${parts.join('') || '0s'}`
}

/** A record or an error, without what is the same for all scenarios. */
function inWords(answer: Answer): string {
  const { status, text } = answer
  if (text.length > 5_000) return `${status} ${text.length} characters, ${digest(text)}`
  const value = jsonOf(text)
  if (!isObject(value)) return `${status} ${text.slice(0, 80)}`
  if (Array.isArray(value.data)) {
    const reason = 'errorReason' in value ? ` errorReason ${JSON.stringify(value.errorReason)}` : ''
    return `${status} [${value.data.filter(isObject).map(recordWords).join(', ')}]${reason}`
  }
  return `${status} ${JSON.stringify(value)}`
}

function recordWords(record: JsonObject): string {
  const dull = ['userAddress', 'payersEmail', 'partner', 'requestId', 'clientId', 'paymentMethod']
  const kept = Object.entries(record).filter(([name]) => !dull.includes(name))
  return JSON.stringify(Object.fromEntries(kept))
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function digest(text: string): string {
  let hash = 0
  for (const char of text) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) >>> 0
  return `checksum ${hash.toString(16)}`
}

const codeOf = (error: Error & { code?: string }): string => error.code ?? error.name
