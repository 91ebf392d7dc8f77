// @ts-check
import { follow } from './follow.js'

/** The stream of events, shared with the other tabs where the browser can do that.
 *  @param {(news: import('./follow.js').News) => void} tell
 *  @returns {{ watch: () => void, rest: () => void }} */
export function sharedStream(tell) {
  if (typeof SharedWorker === 'undefined') return ownStream(tell)
  const worker = new SharedWorker('/pay/assets/stream.js', { type: 'module', name: 'events' })
  let stream = throughPort(worker.port, tell)
  let watched = false
  // A browser that knows shared workers, but none made of modules.
  worker.addEventListener('error', () => {
    stream = ownStream(tell)
    if (watched) stream.watch()
  })
  return {
    watch: () => {
      watched = true
      stream.watch()
    },
    rest: () => {
      watched = false
      stream.rest()
    },
  }
}

/** @param {MessagePort} port
 *  @param {(news: import('./follow.js').News) => void} tell */
function throughPort(port, tell) {
  port.addEventListener('message', ({ data }) => tell(data))
  port.start()
  return { watch: () => port.postMessage('watch'), rest: () => port.postMessage('rest') }
}

/** @param {(news: import('./follow.js').News) => void} tell */
function ownStream(tell) {
  /** @type {(() => void) | null} */
  let stop = null
  return {
    watch: () => {
      stop ??= follow(tell)
    },
    rest: () => {
      stop?.()
      stop = null
    },
  }
}
