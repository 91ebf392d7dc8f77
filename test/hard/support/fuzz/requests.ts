import { isObject } from '../../../support/answer.ts'
import { sign } from '../../../support/client.ts'
import type { Chance } from './chance.ts'
import type { Document, Operation } from './document.ts'
import type { Known } from './known.ts'
import { asText, mutated, oddBodies, oddTexts, oddTypes } from './mutations.ts'
import { Values } from './values.ts'

/** A request as it is sent. */
export interface FuzzRequest {
  readonly operation: Operation
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** The deliberate mistake of a request. */
type Wrong = 'nothing' | 'body' | 'text' | 'type' | 'method' | 'path' | 'query' | 'header'

const wrongs: readonly [Wrong, ...Wrong[]] = [
  'body',
  'body',
  'body',
  'body',
  'text',
  'type',
  'method',
  'path',
  'query',
  'query',
  'header',
]

/** Makes requests of a document: one in three is right, as far as chance lets it be, the others have something wrong. */
export class Requests {
  readonly #chance: Chance
  readonly #known: Known
  readonly #values: Values
  readonly #operations: readonly Operation[]
  readonly #bodies: ReadonlyMap<string, (chance: Chance) => unknown>

  /** @param bodies of operations whose schema does not say enough, by method and path */
  constructor(
    chance: Chance,
    document: Document,
    known: Known,
    {
      operations,
      bodies,
    }: { operations: readonly Operation[]; bodies: ReadonlyMap<string, (chance: Chance) => unknown> },
  ) {
    this.#chance = chance
    this.#known = known
    this.#values = new Values(chance, document, known)
    this.#operations = operations
    this.#bodies = bodies
  }

  /** @param operation left to chance if left out */
  next(operation = this.#drawn()): FuzzRequest {
    const chance = this.#chance
    const wrong: Wrong = chance.yes(0.35) ? 'nothing' : chance.pick(wrongs)
    const value = this.#body(operation, wrong)
    const query = this.#query(operation, wrong)
    const body =
      value === null ? null : tamed(this.#written(value, operation, wrong), this.#known.receiverUrl)
    return {
      operation,
      method: wrong === 'method' ? chance.pick(methods) : operation.method,
      path: `${this.#path(operation, wrong)}${query}`,
      headers: this.#headers(operation, wrong, value, query),
      body,
    }
  }

  #drawn(): Operation {
    const drawn = this.#chance.pick(this.#operations)
    // Acts that remove a client's data are rare, so that data grows.
    const operation =
      drawn !== undefined && endsWorlds(drawn) && this.#chance.yes(0.9)
        ? this.#chance.pick(this.#operations)
        : drawn
    if (operation === undefined) throw new Error('the document has no operations')
    return operation
  }

  #body({ method, path, body }: Operation, wrong: Wrong): unknown {
    if (body === null) return wrong === 'body' ? this.#chance.pick(oddBodies) : null
    const value = this.#bodies.get(`${method} ${path}`)?.(this.#chance) ?? this.#values.valueFor(body.schema)
    const given = wrong === 'body' ? mutated(value, this.#chance) : value
    return waits(path) && isObject(given) ? { timeoutMs: 40, ...given } : given
  }

  #written(value: unknown, { body }: Operation, wrong: Wrong): string {
    if (wrong === 'text') return this.#chance.pick(oddBodies)
    return typeof value === 'string' && body?.type !== 'application/json' ? value : JSON.stringify(value)
  }

  #path({ path, parameters }: Operation, wrong: Wrong): string {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      if (wrong === 'path') return this.#chance.pick(oddTexts)
      const schema = parameters.find((each) => each.name === name)?.schema ?? {}
      return encoded(this.#values.valueFor(schema, nameIn(path, name)))
    })
    if (wrong !== 'path' || path.includes('{')) return filled
    return this.#chance.pick([
      `${filled}/`,
      `${filled}/${this.#chance.pick(oddTexts)}`,
      filled.replace(/\/(?=[^/]*$)/, '//'),
      filled.toUpperCase(),
      filled.slice(0, -1),
    ])
  }

  #query({ parameters }: Operation, wrong: Wrong): string {
    const given = parameters
      .filter((each) => each.in === 'query' && (each.required || this.#chance.yes(0.3)))
      .map(({ name, schema }) => [name, encoded(this.#values.valueFor(schema, name))] as const)
    const pairs = given.map(([name, value]) => `${encodeURIComponent(name)}=${value}`)
    if (wrong === 'query') {
      const [name = 'x'] = this.#chance.pick(given) ?? []
      pairs.push(
        `${this.#chance.pick([name, 'unknown', '__proto__', `${name}[]`, ''])}=${this.#chance.pick(oddTexts)}`,
      )
    }
    return pairs.length === 0 ? '' : `?${pairs.join('&')}`
  }

  #headers(
    { path, body, parameters }: Operation,
    wrong: Wrong,
    value: unknown,
    query: string,
  ): Record<string, string> {
    const chance = this.#chance
    const type = wrong === 'type' ? chance.pick(oddTypes) : body?.type
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type }
    if (path.startsWith('/v1'))
      Object.assign(headers, this.#credentials(value, isObject(value) ? value.clientId : clientIn(query)))
    for (const { in: place, name, schema } of parameters) {
      if (place === 'header' && headers[name.toLowerCase()] === undefined && chance.yes(0.3))
        headers[name.toLowerCase()] = sendable(
          this.#values.valueFor(schema, name === 'emulator-scenario' ? 'scenario' : name),
        )
    }
    const odd = chance.pick(Object.keys(headers))
    if (wrong === 'header' && odd !== undefined)
      headers[odd] = chance.pick(['', 'x', 'x'.repeat(2_000), '=', 'Bearer x'])
    return headers
  }

  /** Credentials of the client in the body, with a right signature of one form. */
  #credentials(body: unknown, asked: unknown): Record<string, string> {
    const { clientId, apiSecret, accessToken } =
      this.#known.clientNamed(asked) ?? this.#known.client(this.#chance)
    if (!isObject(body)) return { 'access-token': accessToken, 'client-id': clientId }
    const text = (name: string) => asText(body[name])
    const short = `fiatAmount=${text('fiatAmount')}&requestId=${text('requestId')}`
    const trial = body.trialPeriodDays ? `&trialPeriodDays=${text('trialPeriodDays')}` : ''
    const signed =
      body.interval === undefined
        ? short
        : `currencyId=${text('currencyId')}&${short}&interval=${text('interval')}${trial}`
    return { 'access-token': accessToken, 'client-id': clientId, signature: sign(apiSecret, signed) }
  }
}

/** A walk through time, and a wait for what never comes, go on for as long as they may. */
export const waits = (path: string) => /^\/_emulator\/(clock|wait)\b/.test(path)

const endsWorlds = ({ method, path }: Operation) =>
  path === '/_emulator/reset' ||
  (method === 'DELETE' && path.includes('/clients')) ||
  (method === 'PUT' && path.includes('/snapshot'))

const clientIn = (query: string) => new URLSearchParams(query).get('clientId')

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE'] as const

/** The object that a parameter named `id` names follows from its path. */
const nameIn = (path: string, name: string): string =>
  name === 'id' && path.includes('/scenarios/') ? (path.endsWith('/{id}') ? 'ownScenario' : 'scenario') : name

const encoded = (value: unknown): string => encodeURIComponent(asText(value).toWellFormed())

/** As a header can carry it. */
const sendable = (value: unknown): string => asText(value).replaceAll(/[^\x20-\x7e]/g, '?')

/** Nothing is ever sent anywhere but to the receiver, and no answer is asked to look like a bug of the emulator. */
function tamed(body: string, receiverUrl: string): string {
  return body
    .replaceAll(/https?:\/\/[^\s"'\\,)}\]]*/gi, receiverUrl)
    .replaceAll(/("?status"?\s*:\s*"?)5\d\d/g, '$1418')
}
