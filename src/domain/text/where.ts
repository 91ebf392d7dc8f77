/** A value that a field must have. A text may end in `*`. */
export type Wanted = string | number | boolean | null

/** Conditions that must all hold: fields and their wanted values. Without any, everything matches. A dotted name
 *  reaches into an object, a list (`refunds.0.status`, `attempts.length`) and a text that is JSON
 *  (`body.fiatAmount`). */
export type Where = Readonly<Record<string, Wanted>>

/** The maximum number of fields in a `where` filter of a call. */
export const mostMembers = 50

/** The fields of an item, as its GET call shows them. */
export type Members = Readonly<Record<string, unknown>>

/** A field of an item that differs from a `where` filter. */
export interface Difference {
  readonly member: string
  readonly wanted: Wanted
  /** The value of the field in the item; null if the field is missing. */
  readonly found: unknown
}

export function fits(where: Where, thing: Members): boolean {
  return Object.entries(where).every(([name, wanted]) => fitsValue(wanted, memberOf(thing, name)))
}

/** Lists the differences between an item and a `where` filter. */
export function differences(where: Where, thing: Members): Difference[] {
  return Object.entries(where).flatMap(([member, wanted]) => {
    const found = memberOf(thing, member)
    return fitsValue(wanted, found) ? [] : [{ member, wanted, found: found ?? null }]
  })
}

/** Whether a resource of which only some fields are known may match a `where`. */
export function mayFit(where: Where, known: Members): boolean {
  return Object.entries(where).every(
    ([name, wanted]) =>
      !Object.hasOwn(known, name.split('.', 1)[0] ?? '') || fitsValue(wanted, memberOf(known, name)),
  )
}

export function sameWhere(a: Where, b: Where): boolean {
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name])
}

/** Whether a value matches the wanted one. Queries and command lines have only texts, so a text also matches a
 *  number or boolean written like it. The reverse does not match, because `10` is not the amount `"10.00"`. Null
 *  matches a missing value, and `*` alone anything. */
function fitsValue(wanted: Wanted, found: unknown): boolean {
  if (wanted === null) return found === null || found === undefined
  if (typeof wanted !== 'string') return found === wanted
  if (wanted === '*') return found !== null && found !== undefined
  if (typeof found === 'object' || found === undefined) return false
  const text = String(found)
  return wanted.endsWith('*') ? text.startsWith(wanted.slice(0, -1)) : text === wanted
}

/** Returns a field by its dotted name. Field names that contain dots themselves are tried first: metadata may have
 *  such names. */
function memberOf(thing: unknown, name: string): unknown {
  const within = typeof thing === 'string' ? parsed(thing) : thing
  if (typeof within !== 'object' || within === null) return undefined
  if (Object.hasOwn(within, name)) return Reflect.get(within, name)
  const dot = name.indexOf('.')
  const head = name.slice(0, dot)
  return dot > 0 && Object.hasOwn(within, head)
    ? memberOf(Reflect.get(within, head), name.slice(dot + 1))
    : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
