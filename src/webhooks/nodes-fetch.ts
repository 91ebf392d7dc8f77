import { performance } from 'node:perf_hooks'

/** What Node's `fetch` and its `Request` look up among the globals when they are called. */
const builtOn = {
  AbortController,
  AbortSignal,
  ArrayBuffer,
  Blob,
  Buffer,
  DOMException,
  Event,
  EventTarget,
  File,
  performance,
  ReadableStream,
  TextDecoder,
  TextEncoder,
  TransformStream,
  Uint8Array,
  URL,
  URLSearchParams,
}

/** Whether Node's own `fetch` works here, with its own classes: test environments and tests put others in their place.
 *  @param fetch the one that would be called */
export function nodesFetchWorks(fetch: unknown = global('fetch')): boolean {
  // Node loads its classes when one is looked at, so after all that these need.
  return (
    Object.entries(builtOn).every(([name, own]) => global(name) === own) &&
    isNodesOwn(fetch) &&
    ['queueMicrotask', 'FormData', 'Headers', 'Request', 'Response'].every((name) => isNodesOwn(global(name)))
  )
}

/** Not by its plain name, in the place of which the bundle puts a class of its own. */
const global = (name: string): unknown => Reflect.get(globalThis, name)

/** No module of Node exports them, but their source shows what they are made of. */
const isNodesOwn = (value: unknown): boolean =>
  typeof value === 'function' &&
  /\b(undici|webidl|asyncResource)\b/.test(Function.prototype.toString.call(value))
