/** What a test's environment lacks of what Node has, in words; null if nothing. jest-environment-jsdom takes some away,
 *  and each would fail in a place of its own. Where the library is required, none is missing: see
 *  `tools/entry/outside-globals.mjs`. */
export function lackingGlobal(): string | null {
  const lacking = names.find((name) => !(name in global))
  if (lacking === undefined) return null
  return (
    `this test environment has no \`${lacking}\`, which Node has. ` +
    'In Jest with jsdom, require the library, or begin the test file with /** @jest-environment node */'
  )
}

/** They are not touched: with the first of some, Node loads an HTTP client, which takes longer than to load the library.
 *  And they are looked for in `global`, not in `globalThis`, because a bundle puts Node's own in its place. */
const names = ['fetch', 'Headers', 'Request', 'Response', 'TextDecoder', 'TextEncoder']
