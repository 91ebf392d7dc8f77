import type { Dispatcher } from 'undici'
import { FetchRefused } from './errors.ts'
import type { Way } from './way.ts'

/** Kept at once: a test may well put `emulator.fetch` in its place. */
const platformFetch = fetch

/** The platform's `fetch`, which reaches one emulator and nothing else.
 *  @param url the emulator's */
export function emulatorFetch(url: string, way: Way): typeof globalThis.fetch {
  const { origin } = new URL(url)
  return async (input, init) => {
    const { dispatcher, Dispatcher1Wrapper } = await way.open()
    let refused: FetchRefused | undefined
    const guarded = dispatcher.compose(
      onlyTo(origin, (refusal) => {
        refused = refusal
      }),
    )
    // The platform's `fetch` may come with an older undici than ours.
    const through: object = { dispatcher: new Dispatcher1Wrapper(guarded) }
    try {
      return await platformFetch(input, { ...init, ...through })
    } catch (error) {
      // Kept apart: in Jest `fetch` takes an error of ours for none, and says nothing of it.
      throw refused ?? error
    }
  }
}

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
