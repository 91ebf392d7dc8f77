// Goes into the bundle for CommonJS in the place of the globals of these names. Jest runs tests in a sandbox, and gives it
// those of jsdom where an application for browsers is tested: some of these are missing there, and others are not what
// Node's own `fetch` takes. So they come from outside, as the engine does: see tools/build/late-parts.mjs.

import { runInThisContext } from 'node:vm'

const outside = runInThisContext('globalThis')

export const { AbortController, AbortSignal, Headers, Request, Response, fetch } = outside
export const { TextDecoder, TextEncoder, URL, URLSearchParams } = outside
export { outside as global, TextEncoder as 'globalThis.TextEncoder' }
