import { isIPv6 } from 'node:net'
import { setFlagsFromString } from 'node:v8'

const flags = ['regexp-optimization', 'regexp-tier-up']

/** Compiles the pattern by which Node tells an IPv6 address, which it holds against whatever it is to listen on. It is so
 *  long that V8 takes a twentieth of a start to optimize it, and a tenth of that without. For a process that is ours
 *  alone: V8 compiles nothing else meanwhile. */
export function compileAddressPattern(): void {
  for (const flag of flags) setFlagsFromString(`--no-${flag}`)
  isIPv6('::1')
  for (const flag of flags) setFlagsFromString(`--${flag}`)
}
