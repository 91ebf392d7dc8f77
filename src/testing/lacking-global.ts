/** Which global is missing here that the library cannot do without, in words; null if none is. All others it takes from
 *  Node's modules, and no module exports WebAssembly, in which undici reads HTTP. */
export function lackingGlobal(): string | null {
  if (typeof Reflect.get(globalThis, 'WebAssembly') !== 'undefined') return null
  return (
    'the global `WebAssembly` of Node is missing. ' +
    'Keep it when tests replace globals, and start Node without `--jitless`'
  )
}
