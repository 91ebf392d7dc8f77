// @ts-check
// Listens to the emulator: of which kinds things change, and whose.

/** @typedef {'order' | 'delivery' | 'request' | 'clock' | 'setup'} Topic */
/** @typedef {Partial<Record<Topic, '*' | (string | null)[]>>} Changed */
/** @typedef {{ connected: boolean } | { changed: Changed }} News */

/** After a refusal (too many streams, a new control token), in milliseconds; a lost connection is the browser's. */
const retryMs = 3_000

/** Opens a stream, and again whenever it is lost, until the answer is called.
 *  @param {(news: News) => void} tell
 *  @returns {() => void} */
export function follow(tell) {
  /** @type {EventSource} */
  let source
  /** @type {number | undefined} */
  let retry
  const open = () => {
    source = new EventSource('/_emulator/events?brief=true')
    source.addEventListener('open', () => tell({ connected: true }))
    source.addEventListener('changed', ({ data }) => tell({ changed: JSON.parse(data) }))
    source.addEventListener('error', () => {
      tell({ connected: false })
      if (source.readyState === EventSource.CLOSED) retry = setTimeout(open, retryMs)
    })
  }
  open()
  return () => {
    clearTimeout(retry)
    source.close()
  }
}
