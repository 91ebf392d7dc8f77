/** What stands in a value at an RFC 6901 pointer like `/order/status`; undefined if there is nothing. */
export function at(value: unknown, pointer: string): unknown {
  const steps = pointer === '' ? [] : pointer.slice(1).split('/')
  return steps.map(unescaped).reduce<unknown>(memberOf, value)
}

const unescaped = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~')

function memberOf(value: unknown, step: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
  return Reflect.get(value, step)
}

/** The value of a JSON text; undefined if it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
