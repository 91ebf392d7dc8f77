import type { Dispatcher } from 'undici'
import { nodesFetchWorks } from '../webhooks/receiving-function.ts'
import { FetchRefused } from './errors.ts'
import type { Connections } from './http-transport.ts'

/** Kept at once: a test may well put `emulator.fetch` in its place. */
const platformFetch = globalThis.fetch

/** The platform's `fetch`, which reaches one emulator and nothing else; undici's where something else has taken the place of
 *  Node's own.
 *  @param url the emulator's */
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
    // The platform's `fetch` may come with an older undici than ours.
    const through = { dispatcher: onPlatform ? new Dispatcher1Wrapper(guarded) : guarded }
    try {
      const options = { ...given, ...init, ...signal, ...through }
      return await Reflect.apply(onPlatform ? platformFetch : fetch, undefined, [target, options])
    } catch (error) {
      // Kept apart: in Jest `fetch` takes an error of ours for none, and says nothing of it.
      throw refused ?? error
    }
  }
}

/** What to fetch, and how. A `Request` of a class that `fetch` does not know is taken apart. */
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

/** The body of a request of whatever class; whatwg-fetch does not show it as a stream. */
function bodyOf(request: Request) {
  const hasNone = request.method === 'GET' || request.method === 'HEAD'
  if (hasNone) return null
  return request.body === undefined ? request.arrayBuffer() : request.body
}

/** A signal of Node's own class that aborts with one of any class. */
function followed(signal: AbortSignal | null | undefined): { signal?: AbortSignal } {
  if (signal === null || signal === undefined) return {}
  if (isOwn(signal)) return { signal }
  const own = new AbortController()
  const abort = () => own.abort(signal.reason)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return { signal: own.signal }
}

/** By its type a signal can be nothing else, so TypeScript would take what follows for unreachable. */
const isOwn = (signal: object): boolean => signal instanceof AbortSignal

/** Looks at every request that is about to leave, so at those too that follow a redirect. */
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
