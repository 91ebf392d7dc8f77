/** What a test's environment lacks of what Node has, in words; null if nothing. jest-environment-jsdom takes some away,
 *  and each would fail in a place of its own. Where the library is required, none is missing: see
 *  `tools/entry/outside-globals.mjs`. */
export function lackingGlobal(): string | null {
  const lacking = Object.entries(typesFound()).find(([, type]) => type === 'undefined')?.[0]
  if (lacking === undefined) return null
  return (
    `this test environment has no \`${lacking}\`, which Node has. ` +
    'In Jest with jsdom, require the library, or begin the test file with /** @jest-environment node */'
  )
}

/** Each by its name, because a bundle puts others in the place of what is named so. */
const typesFound = () => ({
  fetch: typeof fetch,
  Headers: typeof Headers,
  Request: typeof Request,
  Response: typeof Response,
  TextDecoder: typeof TextDecoder,
  TextEncoder: typeof TextEncoder,
})
