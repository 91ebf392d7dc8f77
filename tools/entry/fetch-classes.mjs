// Goes into the program's bundle in the place of Node's globals of these names. With the first of them that is touched Node
// loads an HTTP client, which takes as long as starting Node; so what stands here is loaded when something is made of it, or a
// moment after the start. Until then nothing can be an instance of one but of our own lighter classes, which extend these.

import { setTimeout } from 'node:timers'

const late = new Map()
let loaded = false

/** By then a start is over, and whoever waited for it has been answered. */
const loadedAfterMs = 100

/** Puts Node's own classes behind those that stand in for them. */
function loadFetchClasses() {
  if (loaded) return
  loaded = true
  for (const [name, standIn] of late) {
    const real = globalThis[name]
    Object.setPrototypeOf(standIn, real)
    // What extends it already has the prototype of before.
    Object.setPrototypeOf(standIn.prototype, real.prototype)
    standIn.prototype = real.prototype
  }
}

function standInFor(name) {
  function standIn(...args) {
    loadFetchClasses()
    const real = Object.getPrototypeOf(standIn)
    return Reflect.construct(real, args, new.target === standIn ? real : new.target)
  }
  late.set(name, standIn)
  return standIn
}

export const Headers = standInFor('Headers')
export let Request = standInFor('Request')
export let Response = standInFor('Response')
export { Headers as 'globalThis.Headers', Request as 'global.Request', Response as 'global.Response' }

/** Makes a response of Node's own, whatever has come in its place. */
export const nodesResponse = (...args) => new (late.get('Response'))(...args)

/** Puts lighter classes in the place of two of them, in a process that is ours alone. */
export function useLighter(request, response) {
  Request = request
  Response = response
  setTimeout(loadFetchClasses, loadedAfterMs).unref()
}
