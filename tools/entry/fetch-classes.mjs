// Goes into the program's bundle in the place of the globals of these names, which a test environment or a test may have
// replaced: undici's, which take a quarter of a start to load, so they are loaded when something is made of one. Until then
// nothing can be an instance of one but of our own lighter classes, which extend these.

import * as undici from 'undici'

const links = []

/** Puts undici's classes behind those that stand in for them. */
function loadFetchClasses() {
  for (const link of links.splice(0)) link()
}

/** @param takeReal answers the real class, which loads it */
function standInFor(takeReal) {
  let real
  function standIn(...args) {
    loadFetchClasses()
    return Reflect.construct(real, args, new.target === standIn ? real : new.target)
  }
  // Our lighter classes have this as their prototype's prototype, whatever comes later.
  const first = standIn.prototype
  links.push(() => {
    real = takeReal()
    Object.setPrototypeOf(standIn, real)
    Object.setPrototypeOf(first, real.prototype)
    standIn.prototype = real.prototype
  })
  return standIn
}

export const { fetch } = undici
export const Headers = standInFor(() => undici.Headers)
export let Request = standInFor(() => undici.Request)
const UndicisResponse = standInFor(() => undici.Response)
export let Response = UndicisResponse
export { Headers as 'globalThis.Headers', Request as 'global.Request', Response as 'global.Response' }

/** Makes a response of undici's, whatever has come in its place. */
export const undicisResponse = (...args) => new UndicisResponse(...args)

/** Puts lighter classes in the place of two of them, in a process that is ours alone. */
export function useLighter(request, response) {
  Request = request
  Response = response
}
