/** Returns the value at an RFC 6901 pointer like `/order/status`; undefined if the value has nothing there. */
export function at(value: unknown, pointer: string): unknown {
  const steps = pointer === '' ? [] : pointer.slice(1).split('/')
  return steps.map(unescaped).reduce<unknown>(memberOf, value)
}

/** Lists the pointers to all texts, numbers and booleans in a value, with the values; only the first of very many. */
export function leavesOf(value: unknown): { pointer: string; value: unknown }[] {
  const leaves: { pointer: string; value: unknown }[] = []
  const collect = (member: unknown, pointer: string, depth: number): void => {
    if (leaves.length >= leavesAtMost || depth > depthAtMost) return
    if (typeof member !== 'object' || member === null) leaves.push({ pointer, value: member })
    else
      for (const [key, each] of Object.entries(member)) collect(each, `${pointer}/${escaped(key)}`, depth + 1)
  }
  collect(value, '', 0)
  return leaves
}

const leavesAtMost = 100
const depthAtMost = 10

const escaped = (step: string): string => step.replaceAll('~', '~0').replaceAll('/', '~1')
const unescaped = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~')

function memberOf(value: unknown, step: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
  return Reflect.get(value, step)
}

/** Parses JSON; undefined if it is invalid. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
