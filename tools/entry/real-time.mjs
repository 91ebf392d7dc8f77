// Goes into every bundle in the place of the globals of these names. A test that fakes time fakes that of the application;
// an emulator in its process has clocks of its own, and HTTP connections that wait for a timer. So what was there when the
// bundle was loaded is kept, also from those who change it in place.

import { performance as ticking } from 'node:perf_hooks'
import * as timers from 'node:timers'

export const { clearImmediate, clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } = timers
// biome-ignore lint/suspicious/noShadowRestrictedNames: to stand in the place of the global is what it is for
export const { Date } = globalThis

const readings = { now: ticking.now.bind(ticking) }
export const performance = new Proxy(ticking, {
  get(_, name) {
    const value = readings[name] ?? ticking[name]
    return typeof value === 'function' ? value.bind(ticking) : value
  },
})
