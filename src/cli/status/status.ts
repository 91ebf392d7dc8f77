import * as z from 'zod'
import { shellQuoted } from '../../domain/shell-quote.ts'
import { clientVariables } from '../../pages/client-variables.ts'
import { controlAccess } from '../control-access.ts'
import {
  type ControlAccess,
  controlCall,
  nobodyAnswers,
  notAnEmulator,
  Refused,
  Unreachable,
} from '../control-call.ts'
import { GiveUp } from '../give-up.ts'
import type { Terminal } from '../terminal.ts'
import { statusAnswer, statusText } from './status-text.ts'

/** `status`: shows what a running emulator has. @throws GiveUp */
export async function status(flags: Readonly<Record<string, unknown>>, terminal: Terminal): Promise<number> {
  const access = controlAccess(flags, terminal.env)
  const clientId = typeof flags.client === 'string' ? flags.client : undefined
  const isJson = flags.json === true
  if (flags.env === true) {
    const named = clientId ?? (terminal.env.EMULATOR_CLIENT_ID || 'demo-client')
    const client = await ask(access, `/clients/${encodeURIComponent(named)}`, credentials)
    const variables = clientVariables(access.url, client)
    terminal.out(isJson ? JSON.stringify(variables) : exports(variables))
    return 0
  }
  const query = clientId === undefined ? '' : `?${new URLSearchParams({ clientId })}`
  const answer = await ask(access, `/status${query}`, statusAnswer)
  terminal.out(isJson ? JSON.stringify(answer) : statusText(access.url, answer, terminal.colours))
  return 0
}

const credentials = z.object({
  clientId: z.string(),
  apiSecret: z.string(),
  accessToken: z.string(),
  webhookSecret: z.string(),
})

/** @throws GiveUp */
async function ask<T extends z.ZodType>(access: ControlAccess, path: string, shape: T): Promise<z.output<T>> {
  const answer = await controlCall(access, 'GET', path).catch((error: unknown) => {
    if (error instanceof Unreachable) throw nobodyAnswers(access.url, error)
    if (error instanceof Refused)
      throw new GiveUp(2, `error: ${access.url} rejects the call: ${error.message}`)
    throw error
  })
  const read = shape.safeParse(answer)
  if (read.success) return read.data
  throw notAnEmulator(access.url, 200)
}

const exports = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .map(([name, value]) => `export ${name}=${shellQuoted(value)}`)
    .join('\n')
