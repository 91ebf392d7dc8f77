import type { Dispatcher } from 'undici'
import { nodesFetchWorks } from '../webhooks/receiving-function.ts'
import { FetchRefused } from './errors.ts'
import type { Connections } from './http-transport.ts'

/** Saved at load, because a test may replace the global `fetch` by `emulator.fetch`. */
const platformFetch = globalThis.fetch

/** Creates a `fetch` that reaches only one emulator. It uses Node's own `fetch`, or undici's if a test replaced
 *  that.
 *  @param url the emulator's base URL */
export function emulatorFetch(url: string, connections: Connections): typeof globalThis.fetch {
  const { origin } = new URL(url)
  return async (input, init) => {
    const { dispatcher, Dispatcher1Wrapper, fetch } = await connections.open()
    let refused: FetchRefused | undefined
    const guarded = dispatcher.compose(
      onlyTo(origin, (refusal) => {
        refused = refusal
      }),
    )
    const onPlatform = nodesFetchWorks(platformFetch)
    const [target, given] = await inParts(input, onPlatform)
    const signal = followed(init?.signal === undefined ? given.signal : init.signal)
    // The platform's `fetch` may use an older undici than ours.
    const through = { dispatcher: onPlatform ? new Dispatcher1Wrapper(guarded) : guarded }
    try {
      const options = { ...given, ...init, ...signal, ...through }
      return await Reflect.apply(onPlatform ? platformFetch : fetch, undefined, [target, options])
    } catch (error) {
      // Saved separately: in Jest `fetch` does not recognise our errors, and hides them.
      throw refused ?? error
    }
  }
}

/** Splits the arguments of `fetch` into target and options. A `Request` of another class becomes options. */
async function inParts(
  input: string | URL | Request,
  onPlatform: boolean,
): Promise<[string | URL | Request, RequestInit]> {
  if (typeof input === 'string' || !('method' in input)) return [String(input), {}]
  if (onPlatform && input instanceof globalThis.Request) return [input, {}]
  const { url, method, headers, redirect, signal } = input
  const parts = { method, headers: [...headers], redirect, signal, body: await bodyOf(input) }
  return [url, { ...parts, ...{ duplex: 'half' } }]
}

/** Reads the body of a request of any class: whatwg-fetch does not expose it as a stream. */
function bodyOf(request: Request) {
  const hasNone = request.method === 'GET' || request.method === 'HEAD'
  if (hasNone) return null
  return request.body === undefined ? request.arrayBuffer() : request.body
}

/** A signal of Node's own class that follows a signal of any class. */
function followed(signal: AbortSignal | null | undefined): { signal?: AbortSignal } {
  if (signal === null || signal === undefined) return {}
  if (isOwn(signal)) return { signal }
  const own = new AbortController()
  const abort = () => own.abort(signal.reason)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return { signal: own.signal }
}

/** Hides the signal's type: TypeScript would otherwise consider the code after the check unreachable. */
const isOwn = (signal: object): boolean => signal instanceof AbortSignal

/** Refuses every request to another origin, including redirects. */
function onlyTo(
  origin: string,
  onRefused: (refusal: FetchRefused) => void,
): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (request, handler) => {
    if (String(request.origin) === origin) return dispatch(request, handler)
    const { method, path } = request
    const refusal = new FetchRefused(
      `emulator.fetch reaches ${origin} only, so ${method} ${request.origin}${path} was not sent. ` +
        'Take the base URL from emulator.url or client.env.',
    )
    onRefused(refusal)
    throw refusal
  }
}
