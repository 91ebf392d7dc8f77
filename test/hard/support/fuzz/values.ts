import { isObject, type JsonObject } from '../../../support/answer.ts'
import type { Chance } from './chance.ts'
import type { Document, Schema } from './document.ts'
import type { Known } from './known.ts'

const deepest = 6

/** Makes values that fit a schema, out of what is known of the emulator's world where a name says that it can be. */
export class Values {
  readonly #chance: Chance
  readonly #document: Document
  readonly #known: Known

  constructor(chance: Chance, document: Document, known: Known) {
    this.#chance = chance
    this.#document = document
    this.#known = known
  }

  /** @param name of the member or parameter that gets the value */
  valueFor(given: unknown, name = '', depth = 0): unknown {
    const schema = this.#document.resolved(given)
    const known = this.#known.valueFor(name, this.#chance)
    if (known !== undefined && schema.enum === undefined && schema.const === undefined) return known
    if (schema.const !== undefined) return schema.const
    if (Array.isArray(schema.enum)) return this.#chance.pick(schema.enum)
    if (Array.isArray(schema.examples) && this.#chance.yes(0.6)) return this.#chance.pick(schema.examples)
    const branches = branchesOf(schema)
    if (branches !== null) return this.valueFor(this.#chance.pick(branches), name, depth)
    if (Array.isArray(schema.allOf))
      return Object.assign({}, ...schema.allOf.map((part) => this.valueFor(part, name, depth)))
    return this.#ofType(schema, name, depth)
  }

  #ofType(schema: Schema, name: string, depth: number): unknown {
    const type = Array.isArray(schema.type) ? this.#chance.pick(schema.type) : schema.type
    switch (type) {
      case 'object':
        return this.#object(schema, depth)
      case 'array':
        return depth > deepest
          ? []
          : Array.from({ length: this.#chance.below(3) }, () => this.valueFor(schema.items, name, depth + 1))
      case 'integer':
      case 'number':
        return this.#number(schema)
      case 'boolean':
        return this.#chance.yes(0.5)
      case 'null':
        return null
      case 'string':
        return this.#text(schema)
      default:
        return isObject(schema.properties) ? this.#object(schema, depth) : this.#chance.pick(anything)
    }
  }

  #object(schema: Schema, depth: number): JsonObject {
    const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : []
    const members = Object.entries(Object(schema.properties)).filter(
      ([name]) => required.includes(name) || (depth < deepest && this.#chance.yes(0.35)),
    )
    return Object.fromEntries(members.map(([name, member]) => [name, this.valueFor(member, name, depth + 1)]))
  }

  #number({ minimum, exclusiveMinimum, maximum }: Schema): number {
    const least = Number(minimum ?? exclusiveMinimum ?? 0)
    const most = Math.min(Number(maximum ?? 1_000), least + 1_000)
    return this.#chance.yes(0.2)
      ? most
      : Math.max(least, Math.ceil(least) + this.#chance.below(most - least || 1))
  }

  #text({ format, pattern, minLength = 0 }: Schema): string {
    if (format === 'uri') return this.#known.receiverUrl
    if (format === 'email') return 'a@example.com'
    if (format === 'date-time') return '2030-01-01T00:00:00Z'
    const fits = typeof pattern === 'string' ? texts.filter((text) => matches(pattern, text)) : texts
    const text = this.#chance.pick(fits) ?? this.#chance.pick(texts)
    return text.padEnd(Number(minLength), 'x')
  }
}

function branchesOf({ anyOf, oneOf }: Schema): readonly unknown[] | null {
  return Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : null
}

const anything = ['text', 5, true, null, [], {}, { a: { b: [1] } }] as const

/** Texts of which one or another fits most fields. */
const texts: readonly [string, ...string[]] = [
  '10.00',
  '1',
  'a',
  '5s',
  '10m',
  'P1D',
  'usd_us',
  'MONTHLY',
  'COMPLETED',
  '9004',
  'a@example.com',
  '2030-01-01T00:00:00Z',
  'GB',
  'en',
  'true',
  'some text',
  'Ünïcödé 😀',
]

function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return true
  }
}
