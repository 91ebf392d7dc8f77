// @ts-check
// A shared worker: one stream of events for all tabs, because a browser opens only six connections to one origin.
// The stream is open only while some tab is being looked at.

import { follow } from './follow.js'

/** @type {Set<MessagePort>} */
const watching = new Set()
let connected = false
/** @type {(() => void) | null} */
let stop = null

addEventListener('connect', (event) => {
  if (!(event instanceof MessageEvent)) return
  const [port] = event.ports
  if (port === undefined) return
  port.addEventListener('message', ({ data }) => (data === 'watch' ? watch(port) : rest(port)))
  port.addEventListener('close', () => rest(port))
  port.start()
})

/** @param {MessagePort} port */
function watch(port) {
  watching.add(port)
  if (stop === null) stop = follow(tell)
  else port.postMessage({ connected })
}

/** @param {MessagePort} port */
function rest(port) {
  watching.delete(port)
  if (watching.size > 0) return
  stop?.()
  stop = null
  connected = false
}

/** @param {import('./follow.js').News} news */
function tell(news) {
  if ('connected' in news) connected = news.connected
  for (const port of watching) port.postMessage(news)
}
