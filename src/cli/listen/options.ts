import { isUrl } from '../../domain/is-url.ts'
import { hasPortZero, refusedUrl } from '../../domain/refused-url.ts'
import { emulatorUrl } from '../emulator-url.ts'
import { GiveUp } from '../give-up.ts'
import type { Environment } from '../terminal.ts'

/** What `listen` was asked for. */
export interface ListenOptions {
  readonly port: number
  readonly clientId: string
  /** Make this listener the client's webhook URL. */
  readonly register: boolean
  readonly forward: string | null
  readonly answer: number
  /** The emulator's URL. */
  readonly url: string
  readonly controlToken: string | null
  readonly json: boolean
}

/** Reads the flags of `listen`. @throws GiveUp */
export function readListenOptions(flags: Readonly<Record<string, unknown>>, env: Environment): ListenOptions {
  return {
    port: wholeNumber(flags.port, '--port', 0, 65_535) ?? 4601,
    clientId: textOf(flags.client) ?? (env.EMULATOR_CLIENT_ID || 'demo-client'),
    register: flags.register !== false,
    forward: forwardUrl(flags.forward),
    answer: wholeNumber(flags.answer, '--answer', 200, 599) ?? 200,
    url: emulatorUrl(flags.url, env),
    controlToken: textOf(flags.controlToken) ?? (env.EMULATOR_CONTROL_TOKEN || null),
    json: flags.json === true,
  }
}

const textOf = (flag: unknown) => (typeof flag === 'string' ? flag : undefined)

function wholeNumber(flag: unknown, name: string, least: number, most: number): number | undefined {
  if (typeof flag !== 'string') return undefined
  const number = /^\d{1,5}$/.test(flag) ? Number(flag) : -1
  if (number >= least && number <= most) return number
  throw new GiveUp(
    2,
    `error: ${name}: expected a whole number from ${least} to ${most}, not ${JSON.stringify(flag)}`,
  )
}

function forwardUrl(flag: unknown): string | null {
  if (typeof flag !== 'string') return null
  if (/^https?:\/\/[^/]/i.test(flag) && isUrl(flag) && !hasPortZero(flag)) return flag
  throw new GiveUp(
    2,
    `error: --forward: expected a URL like http://127.0.0.1:3000/webhook${refusedUrl(flag)}`,
  )
}
