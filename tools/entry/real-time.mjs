// Goes into every bundle in the place of the globals of these names. A test that fakes time fakes that of the application;
// an emulator in its process has clocks of its own, and HTTP connections that wait for a timer. So what was there when the
// first bundle was loaded is kept, also from those who change it in place, and for those bundles that are loaded late. So is
// chance: two emulators that draw the same seed would give their orders the same ids.

import { performance as ticking } from 'node:perf_hooks'
import * as timers from 'node:timers'

const name = Symbol.for('payment-order-emulator.real-time')
if (globalThis[name] === undefined)
  Object.defineProperty(globalThis, name, {
    value: { ...timers, Date: globalThis.Date, now: ticking.now.bind(ticking), random: Math.random },
  })
// An earlier version of the package, if one was loaded first, has kept no chance.
const { now, random = Math.random } = globalThis[name]

export { random as 'Math.random' }

// biome-ignore lint/suspicious/noShadowRestrictedNames: to stand in the place of the global is what it is for
export const { clearImmediate, clearInterval, clearTimeout, Date, setImmediate, setInterval, setTimeout } =
  globalThis[name]

const readings = { now }
export const performance = new Proxy(ticking, {
  get(_, name) {
    const value = readings[name] ?? ticking[name]
    return typeof value === 'function' ? value.bind(ticking) : value
  },
})
