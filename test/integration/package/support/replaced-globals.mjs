// Replaces globals before the library is loaded, and plays orders: `node replaced-globals.mjs 'a subclass' Request,Response`.

import { createRequire } from 'node:module'
import { argv, env } from 'node:process'

const [, , how, list] = argv
const standIns = {
  /** What a mock is that nobody has told what to do. */
  'a stand-in': (name) =>
    class {
      constructor() {
        throw new Error(`the stand-in for ${name} was used`)
      }
    },
  'a subclass': (_, real) => class extends real {},
  nothing: () => undefined,
}
const write = console.log
for (const name of list.split(',')) {
  const value = standIns[how](name, globalThis[name])
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true })
}
const { playOrders } = await import('./any-environment.cjs')
await playOrders(await import('payment-order-emulator'), { runningAt: env.RUNNING_AT })
await playOrders(createRequire(import.meta.url)('payment-order-emulator'))
write('played')
