/** What a test's environment lacks of what Node has, in words; null if nothing. jest-environment-jsdom takes some away,
 *  and each would fail in a place of its own. Where the library is required, none is missing: see
 *  `tools/entry/outside-globals.mjs`. */
export function lackingGlobal(): string | null {
  const lacking =
    Object.entries(typesFound()).find(([, type]) => type === 'undefined')?.[0] ??
    untouched.find((name) => !(name in global))
  if (lacking === undefined) return null
  return (
    `this test environment has no \`${lacking}\`, which Node has. ` +
    'In Jest with jsdom, require the library, or begin the test file with /** @jest-environment node */'
  )
}

/** Each by its name, because a bundle puts others in the place of what is named so. */
const typesFound = () => ({
  fetch: typeof fetch,
  TextDecoder: typeof TextDecoder,
  TextEncoder: typeof TextEncoder,
})

/** With the first of these that is looked at, Node loads an HTTP client, which takes longer than to load the library. So one
 *  that is there and `undefined` passes. They are looked for in `global`, not in `globalThis`, because a bundle puts Node's
 *  own in its place. */
const untouched = ['Headers', 'Request', 'Response']
