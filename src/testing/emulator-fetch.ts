import type { Dispatcher } from 'undici'
import { FetchRefused } from './errors.ts'
import type { Way } from './way.ts'

/** Kept at once: a test may well put `emulator.fetch` in its place. */
const platformFetch = fetch

/** The platform's `fetch`, which reaches one emulator and nothing else.
 *  @param url the emulator's */
export function emulatorFetch(url: string, way: Way): typeof globalThis.fetch {
  const { origin } = new URL(url)
  let opening: Promise<object> | undefined
  return async (input, init) => {
    opening ??= through(way, origin)
    try {
      return await platformFetch(input, { ...init, ...(await opening) })
    } catch (error) {
      throw causeOf(error) ?? error
    }
  }
}

async function through(way: Way, origin: string): Promise<object> {
  const { dispatcher, Dispatcher1Wrapper } = await way.open()
  // The platform's `fetch` may come with an older undici than ours.
  return { dispatcher: new Dispatcher1Wrapper(dispatcher.compose(onlyTo(origin))) }
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

/** In Jest, what `fetch` throws is no `Error` of the test's. */
function causeOf(error: unknown): FetchRefused | undefined {
  if (typeof error !== 'object' || error === null || !('cause' in error)) return undefined
  return error.cause instanceof FetchRefused ? error.cause : undefined
}
