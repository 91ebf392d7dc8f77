/** What a member is wanted to be. A text may end in `*`. */
export type Wanted = string | number | boolean | null

/** Equalities on the members of a thing, all of which are to hold; without any it fits everything. A dotted name goes
 *  into an object, a list (`refunds.0.status`, `attempts.length`) and a text that is JSON (`body.fiatAmount`). */
export type Where = Readonly<Record<string, Wanted>>

/** How many members a `where` from outside may have. */
export const mostMembers = 50

/** A thing as its GET shows it. */
export type Members = Readonly<Record<string, unknown>>

/** A member that is not as it was wanted. */
export interface Difference {
  readonly member: string
  readonly wanted: Wanted
  /** null if there is none. */
  readonly found: unknown
}

export function fits(where: Where, thing: Members): boolean {
  return Object.entries(where).every(([name, wanted]) => fitsValue(wanted, memberOf(thing, name)))
}

/** What keeps a thing from fitting. */
export function differences(where: Where, thing: Members): Difference[] {
  return Object.entries(where).flatMap(([member, wanted]) => {
    const found = memberOf(thing, member)
    return fitsValue(wanted, found) ? [] : [{ member, wanted, found: found ?? null }]
  })
}

/** Whether a thing may fit of which only some members are known. */
export function mayFit(where: Where, known: Members): boolean {
  return Object.entries(where).every(
    ([name, wanted]) =>
      !Object.hasOwn(known, name.split('.', 1)[0] ?? '') || fitsValue(wanted, memberOf(known, name)),
  )
}

/** Whether two of them ask for the same. */
export function sameWhere(a: Where, b: Where): boolean {
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name])
}

/** A text also fits a number or a truth value that is written like it: queries and command lines know nothing but
 *  texts. The other way round nothing fits, because `10` is not the amount `"10.00"`. Null stands for nothing there,
 *  and `*` alone for anything. */
function fitsValue(wanted: Wanted, found: unknown): boolean {
  if (wanted === null) return found === null || found === undefined
  if (typeof wanted !== 'string') return found === wanted
  if (wanted === '*') return found !== null && found !== undefined
  if (typeof found === 'object' || found === undefined) return false
  const text = String(found)
  return wanted.endsWith('*') ? text.startsWith(wanted.slice(0, -1)) : text === wanted
}

/** A member by its dotted name. One whose own name has the dots in it comes first: metadata may have such. */
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
