// Goes into every bundle in the place of the globals of these names. A test environment (happy-dom, jsdom) or a test may have
// put classes of its own there, also before a bundle is loaded, and Node's streams and HTTP take only Node's own. So these
// come from the modules that export them. Those of `fetch` are in fetch-classes.mjs.

import { Buffer } from 'node:buffer'
import util from 'node:util'

export { atob, Blob, btoa, File } from 'node:buffer'
export { default as process } from 'node:process'
export {
  CompressionStream,
  DecompressionStream,
  ReadableStream,
  TextDecoderStream,
  TextEncoderStream,
  TransformStream,
  WritableStream,
} from 'node:stream/web'
export { URL, URLSearchParams } from 'node:url'
export { TextDecoder } from 'node:util'
export { MessagePort } from 'node:worker_threads'

// vitest puts those of jsdom in their place.
const OwnUint8Array = Object.getPrototypeOf(Buffer)
const OwnArrayBuffer = new OwnUint8Array().buffer.constructor

export { Buffer, OwnArrayBuffer as ArrayBuffer, OwnUint8Array as Uint8Array }

// A name of its own, without which esbuild does not put it in the place of `globalThis.TextEncoder`.
const { TextEncoder } = util

export { TextEncoder, TextEncoder as 'globalThis.TextEncoder' }

// No module exports the next ones, but a controller that is aborted leads to all of them. Bun has none that is transferable.
const controller = util.transferableAbortController?.() ?? new globalThis.AbortController()
export let Event
controller.signal.addEventListener('abort', (event) => {
  Event = event.constructor
})
controller.abort()
export const AbortController = controller.constructor
export const AbortSignal = controller.signal.constructor
export const EventTarget = Object.getPrototypeOf(AbortSignal)
export const DOMException = controller.signal.reason.constructor

/** What is used of it. Like the next, it is loaded late: most starts do without. */
export const crypto = {
  get subtle() {
    return require('node:crypto').webcrypto.subtle
  },
  getRandomValues: (array) => require('node:crypto').webcrypto.getRandomValues(array),
}
export const structuredClone = (value) => {
  const { deserialize, serialize } = require('node:v8')
  return deserialize(serialize(value))
}
export const queueMicrotask = (task) => {
  Promise.resolve().then(task)
}
