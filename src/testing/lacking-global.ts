const names = ['fetch', 'Headers', 'Request', 'Response', 'TextDecoder', 'TextEncoder']

/** What a test's environment lacks of what Node has, in words; null if nothing. jest-environment-jsdom takes some away,
 *  and each would fail in a place of its own. */
export function lackingGlobal(): string | null {
  const lacking = names.find((name) => Reflect.get(globalThis, name) === undefined)
  if (lacking === undefined) return null
  return (
    `this test environment has no \`${lacking}\`, which Node has. ` +
    'In Jest with jsdom, begin the test file with /** @jest-environment node */'
  )
}
