import { type Dispatcher, Dispatcher1Wrapper } from 'undici'
import { FetchRefused } from './errors.ts'

/** Kept at once: a test may well put `emulator.fetch` in its place. */
const platformFetch = globalThis.fetch

/** The platform's `fetch`, which reaches one emulator and nothing else.
 *  @param url the emulator's
 *  @param way the connections to it */
export function emulatorFetch(url: string, way: Dispatcher): typeof globalThis.fetch {
  const { origin } = new URL(url)
  // The platform's `fetch` may come with an older undici than ours.
  const through: object = { dispatcher: new Dispatcher1Wrapper(way.compose(onlyTo(origin))) }
  return async (input, init) => {
    try {
      return await platformFetch(input, { ...init, ...through })
    } catch (error) {
      throw error instanceof Error && error.cause instanceof FetchRefused ? error.cause : error
    }
  }
}

/** Looks at every request that is about to leave, so at those too that follow a redirect. */
function onlyTo(origin: string): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (request, handler) => {
    if (String(request.origin) === origin) return dispatch(request, handler)
    const { method, path } = request
    throw new FetchRefused(
      `emulator.fetch reaches ${origin} only, so ${method} ${request.origin}${path} was not sent. ` +
        'Take the base URL from emulator.url or client.env.',
    )
  }
}
