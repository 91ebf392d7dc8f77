import { shown, ticked } from '../domain/issue-words.ts'
import { nearest } from '../domain/nearest.ts'
import { isServiceLink } from './emulator-url.ts'
import { serveFlags, variableOf } from './serve/flags.ts'
import type { Environment } from './terminal.ts'

const prefix = 'EMULATOR_'
/** `EMULATOR_SWEEP` and `EMULATOR_COVERAGE_DIR` are for the library. */
const known = [
  ...serveFlags.map(({ name }) => variableOf(name)),
  'EMULATOR_URL',
  'EMULATOR_SWEEP',
  'EMULATOR_COVERAGE_DIR',
]

/** Windows does not tell capitals from small letters. */
const isKnown = (name: string): boolean =>
  known.includes(process.platform === 'win32' ? name.toUpperCase() : name)

/** Warnings about variables that look like ours and have no effect, with the nearest right name. */
export function unknownVariables(env: Environment): string[] {
  return Object.keys(env)
    .filter((name) => name.toUpperCase().startsWith(prefix) && !isKnown(name))
    .filter((name) => env[name] !== '' && !isServiceVariable(name, env[name]))
    .map((name) => {
      const near = nearest(
        name.slice(prefix.length),
        known.map((each) => each.slice(prefix.length)),
      )
      const hint =
        near === undefined
          ? '`payment-order-emulator help serve` lists the flags'
          : `did you mean \`${prefix}${near}\`?`
      return `${ticked(name)} is not a variable of this program and has no effect; ${hint}`
    })
}

/** A warning if `EMULATOR_PORT` is the address of a Kubernetes service and not a port; null if not. */
export function serviceLinkWarning({ EMULATOR_PORT: port = '' }: Environment): string | null {
  if (!isServiceLink(port)) return null
  return `\`EMULATOR_PORT\` is ${shown(port)}, which Kubernetes sets for a service called "emulator", so it is ignored; choose a port with \`--port\`, or set \`enableServiceLinks: false\` for the pod`
}

/** Whether Kubernetes sets a variable, for a service whose name begins with "emulator". */
function isServiceVariable(name: string, value = ''): boolean {
  return (
    /_SERVICE_(HOST|PORT(_[A-Z0-9_]+)?)$/.test(name) ||
    /_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name) ||
    (name.endsWith('_PORT') && isServiceLink(value))
  )
}
