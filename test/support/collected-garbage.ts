import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Collects all garbage, at once. What is held weakly goes too, unless this turn of the event loop has looked at it. */
export function collectGarbage(): void {
  // A context has `gc` if it is made under this flag.
  setFlagsFromString('--expose-gc')
  const gc: () => void = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  gc()
}
