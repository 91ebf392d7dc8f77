import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Has @hono/node-server do without what Node loads an HTTP client for, a sixth of a start: its classes of fetch, instead of
 * which those of tools/entry/fetch-classes.mjs stand in the bundle, and HTTP/2, which our server does not speak.
 */
export function lateFetch(root) {
  const runtime = JSON.stringify(join(root, fetchClasses))
  const imports = `import { useLighter } from ${runtime}\n`
  return {
    name: 'late-fetch',
    setup({ onLoad, onResolve }) {
      onLoad({ filter: /[\\/]@hono[\\/]node-server[\\/]dist[\\/]index\.mjs$/ }, ({ path }) => ({
        contents: imports + changes.reduce(changed, readFileSync(path, 'utf8')),
      }))
      onResolve({ filter: /^@hono\/node-server\/utils\/response$/ }, ({ path }) => ({
        path,
        namespace: 'late-fetch',
      }))
      onLoad({ filter: /./, namespace: 'late-fetch' }, () => ({
        contents: `const { undicisResponse } = require(${runtime})\n${alreadySent}`,
        resolveDir: root,
      }))
    },
  }
}

export const fetchClasses = 'tools/entry/fetch-classes.mjs'

/** What stands in the package, and what comes in its place. */
const changes = [
  [
    'import { Http2ServerRequest, constants } from "node:http2";',
    'class Http2ServerRequest {}\nconst constants = {};',
  ],
  [
    `if (options.overrideGlobalObjects !== false && global.Request !== Request$1) {
		Object.defineProperty(global, "Request", { value: Request$1 });
		Object.defineProperty(global, "Response", { value: Response$1 });
	}`,
    'if (options.overrideGlobalObjects !== false) useLighter(Request$1, Response$1);',
  ],
  // Classes of the same client, for WebSockets. Node 24 has the first, Node 26 both.
  ['const CloseEvent = globalThis.CloseEvent ?? class', 'const CloseEvent = class'],
  ['const ErrorEvent = globalThis.ErrorEvent ?? class', 'const ErrorEvent = class'],
]

/** The package makes it when it is imported. */
const alreadySent = `
  let sent
  module.exports = {
    get RESPONSE_ALREADY_SENT() {
      sent ??= undicisResponse(null, { headers: { 'x-hono-already-sent': 'true' } })
      return sent
    },
  }`

function changed(text, [before, after]) {
  if (text.split(before).length !== 2)
    throw new Error(`@hono/node-server has no longer what tools/build/late-fetch.mjs changes: ${before}`)
  // A function, because `$` means something in a text.
  return text.replace(before, () => after)
}
