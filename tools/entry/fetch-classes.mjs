// Goes into the program's bundle in the place of Node's globals of these names. With the first of them that is touched Node
// loads an HTTP client, which takes as long as starting Node; so what stands here is loaded when something is made of it, or a
// moment after the start. Until then nothing can be an instance of one but of our own lighter classes, which extend these.

import { setTimeout } from 'node:timers'

const links = []

/** By then a start is over, and whoever waited for it has been answered. */
const loadedAfterMs = 100

/** Puts the global classes behind those that stand in for them. */
function loadFetchClasses() {
  for (const link of links) link()
}

function standInFor(name) {
  let real
  function standIn(...args) {
    // A test may have put one of its own there for a while, which must not stay behind us.
    if (globalThis[name] !== real) loadFetchClasses()
    return Reflect.construct(real, args, new.target === standIn ? real : new.target)
  }
  // Our lighter classes have this as their prototype's prototype, whatever comes later.
  const first = standIn.prototype
  links.push(() => {
    if (globalThis[name] === real) return
    real = globalThis[name]
    Object.setPrototypeOf(standIn, real)
    Object.setPrototypeOf(first, real.prototype)
    standIn.prototype = real.prototype
  })
  return standIn
}

export const Headers = standInFor('Headers')
export let Request = standInFor('Request')
const NodesResponse = standInFor('Response')
export let Response = NodesResponse
export { Headers as 'globalThis.Headers', Request as 'global.Request', Response as 'global.Response' }

/** Makes a response of Node's own, whatever has come in its place. */
export const nodesResponse = (...args) => new NodesResponse(...args)

/** Puts lighter classes in the place of two of them, in a process that is ours alone. */
export function useLighter(request, response) {
  Request = request
  Response = response
  setTimeout(loadFetchClasses, loadedAfterMs).unref()
}
