import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Collects all garbage at once. */
export function garbageCollector(): () => void {
  // A context has `gc` if it is made under this flag.
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  return gc
}
