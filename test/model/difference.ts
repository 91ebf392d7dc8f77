/** The emulator shows something else than the model expects. */
class Difference extends Error {
  constructor(seen: readonly string[], expected: readonly string[]) {
    const missing = expected.filter((line) => !seen.includes(line)).map((line) => `- ${line}`)
    const unexpected = seen.filter((line) => !expected.includes(line)).map((line) => `+ ${line}`)
    const lines = [...missing, ...unexpected]
    super((lines.length > 0 ? lines : ['the same, in this order:', ...seen]).join('\n'))
    this.name = 'Difference'
  }
}

/** @throws Difference */
export function same(seen: readonly string[], expected: readonly string[]): void {
  if (seen.join('\n') !== expected.join('\n')) throw new Difference(seen, expected)
}
