/** Equalities on the members of a thing. A text may end in `*` and then fits whatever begins like it; without any
 *  member it fits everything. */
export type Where = Readonly<Record<string, string>>

export function fits(where: Where, thing: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(where).every(([name, wanted]) => {
    const value = thing[name]
    if (!wanted.endsWith('*')) return value === wanted
    return typeof value === 'string' && value.startsWith(wanted.slice(0, -1))
  })
}

/** Whether two of them ask for the same. */
export function sameWhere(a: Where, b: Where): boolean {
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name])
}
