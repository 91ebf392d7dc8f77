import { parseDuration } from '../../domain/duration.ts'
import { controlAccess } from '../control-access.ts'
import type { ControlAccess } from '../control-call.ts'
import { GiveUp } from '../give-up.ts'
import { shellQuote } from '../shell-quote.ts'
import type { Environment } from '../terminal.ts'

/** What `--for` can name. */
export const waitedFor = ['order', 'delivery', 'request'] as const

/** What `wait` was asked for. */
export interface WaitOptions extends ControlAccess {
  /** null: for the emulator's health. */
  readonly kind: (typeof waitedFor)[number] | null
  readonly where: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly clientId: string | null
  readonly json: boolean
}

/** Reads the flags of `wait`. @throws GiveUp */
export function readWaitOptions(flags: Readonly<Record<string, unknown>>, env: Environment): WaitOptions {
  const short = waitedFor.find((name) => flags[name] !== undefined)
  if (short !== undefined) {
    const where = `--for ${short} --where ${shellQuote(`requestId=${flags[short]}`)}`
    throw new GiveUp(2, `error: unknown option '--${short}'; use \`${where}\``)
  }
  const kind = waitedFor.find((name) => name === flags.for) ?? null
  if (kind === null && (flags.where !== undefined || flags.client !== undefined)) {
    throw new GiveUp(
      2,
      'error: `--where` and `--client` work only with `--for order`, `delivery` or `request`',
    )
  }
  return {
    kind,
    where: whereIn(flags.where),
    timeoutMs: timeoutIn(flags.timeout),
    clientId: typeof flags.client === 'string' ? flags.client : null,
    ...controlAccess(flags, env),
    json: flags.json === true,
  }
}

/** `requestId=r1,orderStatus=COMPLETED`, also several times. A comma that no `name=` follows belongs to the value. */
function whereIn(flag: unknown): Record<string, string> {
  const pairs = (Array.isArray(flag) ? flag : []).flatMap((text) => String(text).split(/,(?=[^,=]+=)/))
  const where: Record<string, string> = {}
  for (const pair of pairs) {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? []
    if (name === undefined || value === undefined) {
      throw new GiveUp(2, `error: --where: expected name=value, not ${JSON.stringify(pair)}`)
    }
    if (Object.hasOwn(where, name)) throw new GiveUp(2, `error: --where: ${name} occurs more than once`)
    where[name] = value
  }
  return where
}

const usualTimeoutMs = 30_000
const longestTimeoutMs = 600_000

function timeoutIn(flag: unknown): number {
  if (typeof flag !== 'string') return usualTimeoutMs
  const ms = parseDuration(flag)
  if (ms !== null && ms <= longestTimeoutMs) return ms
  throw new GiveUp(
    2,
    `error: --timeout: expected a duration up to 10m, like 500ms or 10s, not ${JSON.stringify(flag)}${/^\d+$/.test(flag) ? `; did you mean ${flag}s?` : ''}`,
  )
}
