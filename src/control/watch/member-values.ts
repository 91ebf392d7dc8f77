import * as z from 'zod'
import { orList, shown } from '../../domain/issue-words.ts'
import { didYouMean } from '../../domain/nearest.ts'
import type { Wanted } from '../../domain/where.ts'
import { unwrapped } from './member-names.ts'

/** The schema of a member by its dotted name; null if there can be no such member, undefined if it may be anything. */
export function schemaAt(schema: unknown, [name, ...rest]: readonly string[]): unknown {
  const bare = unwrapped(schema)
  if (name === undefined) return bare
  if (bare instanceof z.ZodObject)
    return Object.hasOwn(bare.shape, name) ? schemaAt(bare.shape[name], rest) : null
  if (!(bare instanceof z.ZodArray)) return undefined
  if (name === 'length' && rest.length === 0) return z.int()
  return /^\d+$/.test(name) ? schemaAt(bare.element, rest) : null
}

/** Says why a member can never be as it is wanted; undefined if it can.
 *  @param words those that it can be, beside what the schema says */
export function impossible(schema: unknown, wanted: Wanted, words?: readonly string[]): string | undefined {
  if (wanted === null || wanted === '*') return undefined
  const bare = unwrapped(schema)
  const closed = words ?? (bare instanceof z.ZodEnum ? bare.options.map(String) : null)
  if (closed !== null) return closed.some((word) => isLike(wanted, word)) ? undefined : never(wanted, closed)
  if (bare instanceof z.ZodBoolean)
    return ['true', 'false'].some((word) => isLike(wanted, word))
      ? undefined
      : `is true or false, not ${shown(wanted)}`
  if (bare instanceof z.ZodNumber)
    return typeof wanted === 'number' || numeric.test(String(wanted))
      ? undefined
      : `is a number, not ${shown(wanted)}`
  if (bare instanceof z.ZodString && typeof wanted !== 'string')
    return `is a text, not ${shown(wanted)}; put it in quotes`
  return undefined
}

/** A number in digits, or how one begins. */
const numeric = /^-?\d+(\.\d+)?\*?$/

/** As `where` compares (`fitsValue`), with the only text that a value has. */
function isLike(wanted: string | number | boolean, word: string): boolean {
  const text = String(wanted)
  return text.endsWith('*') ? word.startsWith(text.slice(0, -1)) : text === word
}

function never(wanted: Wanted, words: readonly string[]): string {
  const among = words.length <= 12 ? `; use ${orList(words)}` : ''
  return `is never ${shown(wanted)}${didYouMean(String(wanted), words) || among}`
}
