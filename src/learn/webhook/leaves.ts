import { canonical } from '../elimination/eliminate.ts'

/** A place in JSON: names of fields and positions in lists. */
export type Path = readonly (string | number)[]

/** The values of some JSON that have no parts, by place. An empty object or list has none either. */
export type Leaves = ReadonlyMap<string, unknown>

/** The key of a place in `Leaves`. */
export const keyOf = (path: Path): string => JSON.stringify(path)

/** The place of a key in `Leaves`. */
export function pathOf(key: string): Path {
  const path: unknown = JSON.parse(key)
  return Array.isArray(path) ? path.map((each) => (typeof each === 'number' ? each : String(each))) : []
}

/** A place in words: `data.order.id`, `events[0].id`. */
export const placeWords = (key: string): string =>
  pathOf(key).reduce<string>(
    (words, each) =>
      typeof each === 'number' ? `${words}[${each}]` : words === '' ? each : `${words}.${each}`,
    '',
  )

/** Takes JSON apart.
 *  @param isWhole whether a value is one value although it has parts, such as the metadata of an order */
export function leavesOf(value: unknown, isWhole: (value: unknown) => boolean = () => false): Leaves {
  const leaves = new Map<string, unknown>()
  const visit = (each: unknown, path: Path): void => {
    const parts = Array.isArray(each)
      ? each.map((part, index): [string | number, unknown] => [index, part])
      : isObject(each)
        ? Object.entries(each)
        : []
    if (parts.length === 0 || isWhole(each)) leaves.set(keyOf(path), each)
    else for (const [name, part] of parts) visit(part, [...path, name])
  }
  visit(value, [])
  return leaves
}

/** Puts JSON together from its leaves. */
export function assembled(leaves: Leaves): unknown {
  const entries = [...leaves].map(([key, value]): [Path, unknown] => [pathOf(key), value])
  return together(entries)
}

function together(entries: readonly (readonly [Path, unknown])[]): unknown {
  const [first] = entries
  if (first === undefined) return {}
  if (first[0].length === 0) return first[1]
  const groups = Map.groupBy(entries, ([path]) => path[0] ?? '')
  const parts = [...groups].map(([name, group]): [string | number, unknown] => [
    name,
    together(group.map(([path, value]) => [path.slice(1), value])),
  ])
  if (parts.every(([name]) => typeof name === 'number'))
    return parts.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, part]) => part)
  return Object.fromEntries(parts)
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Whether two values are the same JSON. */
export const sameJson = (a: unknown, b: unknown): boolean => a === b || canonical(a) === canonical(b)
