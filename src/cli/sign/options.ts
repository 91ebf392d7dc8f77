import { readFileSync } from 'node:fs'
import { demo } from '../../config.ts'
import type { CheckoutForm } from '../../domain/signature.ts'
import { emulatorUrl } from '../emulator-url.ts'
import { GiveUp } from '../give-up.ts'
import type { Environment, Terminal } from '../terminal.ts'
import { noBody } from './signed-body.ts'

/** The forms of a checkout's string, as `--form` names them. */
export const signedForms = ['short', 'with-currency'] as const satisfies readonly CheckoutForm[]

/** What `sign` was asked for. */
export interface SignOptions {
  readonly secret: string
  readonly accessToken: string
  readonly url: string
  readonly form: CheckoutForm
  readonly curl: boolean
  readonly json: boolean
}

/** Reads the flags of `sign`. @throws GiveUp */
export function readSignOptions(flags: Readonly<Record<string, unknown>>, env: Environment): SignOptions {
  const { PAYMENT_ORDER_API_SECRET, EMULATOR_API_SECRET, PAYMENT_ORDER_ACCESS_TOKEN, EMULATOR_ACCESS_TOKEN } =
    env
  return {
    secret: given(flags.secret) || PAYMENT_ORDER_API_SECRET || EMULATOR_API_SECRET || demo.apiSecret,
    accessToken:
      given(flags.accessToken) || PAYMENT_ORDER_ACCESS_TOKEN || EMULATOR_ACCESS_TOKEN || demo.accessToken,
    url: emulatorUrl(flags.url, env),
    form: signedForms.find((form) => form === flags.form) ?? 'short',
    curl: flags.curl === true,
    json: flags.json === true,
  }
}

/** The body that the argument names: what begins like JSON is the body itself. @throws GiveUp */
export async function bodyNamed(argument: string | undefined, terminal: Terminal): Promise<string> {
  if (argument !== undefined && argument !== '-') {
    return /^\s*[{[]/.test(argument) ? argument : fileText(argument)
  }
  const text = await terminal.readInput()
  if (text !== null) return text
  throw noBody()
}

const given = (flag: unknown): string => (typeof flag === 'string' ? flag : '')

function fileText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new GiveUp(2, `error: ${JSON.stringify(path)} is neither JSON nor a readable file: ${reason}`)
  }
}
