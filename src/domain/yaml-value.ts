import { isMap, isNode, isScalar, isSeq, type YAMLMap } from 'yaml'
import { ticked } from './issue-words.ts'
import type { Flaw } from './yaml-tokens.ts'

/** A node of a YAML document as a plain value. Keys become own members, `__proto__` too. */
export function plainValue(node: unknown): unknown {
  if (isMap(node))
    return Object.fromEntries(node.items.map(({ key, value }) => [keyText(key), plainValue(value)]))
  if (isSeq(node)) return node.items.map(plainValue)
  return isScalar(node) ? node.value : null
}

/** What YAML allows and we do not, because a reader would be mistaken about it: a key twice, a merge key, a
 *  number that does not survive being read. */
export function flawsOf(node: unknown): Flaw[] {
  if (isMap(node)) return [...keyFlaws(node), ...node.items.flatMap(({ value }) => flawsOf(value))]
  if (isSeq(node)) return node.items.flatMap(flawsOf)
  if (!isScalar(node) || typeof node.value !== 'number') return []
  if (!Number.isFinite(node.value))
    return [{ offset: startOf(node), message: `${ticked(node.source ?? '')} is not a valid number here` }]
  const exact = !Number.isInteger(node.value) || Number.isSafeInteger(node.value)
  return exact
    ? []
    : [
        {
          offset: startOf(node),
          message: `${ticked(node.source ?? '')} is too large to be represented exactly; put it in quotes`,
        },
      ]
}

/** Where the key or the value at the end of a path begins. A path that leads nowhere ends at what it last met. */
export function offsetOf(root: unknown, path: readonly (string | number)[], at: 'key' | 'value'): number {
  let node = root
  let offset = startOf(root)
  for (const [index, segment] of path.entries()) {
    const pair = isMap(node) ? node.items.find(({ key }) => keyText(key) === String(segment)) : undefined
    const value = isSeq(node) ? node.items[Number(segment)] : pair?.value
    if (pair === undefined && value === undefined) break
    const wantsKey = at === 'key' && index === path.length - 1
    offset = startOf(pair !== undefined && (wantsKey || isEmpty(value)) ? pair.key : value)
    node = value
  }
  return offset
}

function keyFlaws({ items }: YAMLMap): Flaw[] {
  const seen = new Set<string>()
  return items.flatMap(({ key }) => {
    const text = keyText(key)
    if (text === '<<')
      return [
        { offset: startOf(key), message: 'merge keys (<<) are not supported here; write the fields out' },
      ]
    if (seen.has(text)) return [{ offset: startOf(key), message: `${ticked(text)} occurs twice` }]
    seen.add(text)
    return []
  })
}

const keyText = (key: unknown): string => (isScalar(key) ? String(key.value) : '')

const startOf = (node: unknown): number => (isNode(node) ? (node.range?.[0] ?? 0) : 0)

/** A value of which nothing is written; its key is the better place to point at. */
const isEmpty = (node: unknown): boolean => !isNode(node) || node.range?.[0] === node.range?.[1]
