import { oneLine, ticked } from '../../domain/text/issue-words.ts'
import type { LearnOptions } from '../../learn/learned-captures.ts'
import { CaptureUnusable } from '../../learn/read-captures.ts'
import { CliError } from '../cli-error.ts'
import type { Environment } from '../terminal.ts'

export type Flags = Readonly<Record<string, unknown>>

/** Turns an unusable capture into an error of the command line. */
export async function usable<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof CaptureUnusable) throw new CliError(2, `error: ${error.message}`)
    throw error
  }
}

/** Reads the flags that tell how captures are read.
 *  @throws CliError */
export function readingIn(flags: Flags, env: Environment): LearnOptions {
  return {
    clientId: textIn(flags.client) ?? undefined,
    apiSecret: secretIn(flags.apiSecret, '--api-secret', env) ?? undefined,
    webhookSecret: secretIn(flags.webhookSecret, '--webhook-secret', env) ?? undefined,
  }
}

/** Reads a secret: itself, or the name of a variable as `${NAME}`, which keeps it out of the shell's history.
 *  @throws CliError */
export function secretIn(flag: unknown, name: string, env: Environment): string | null {
  const text = textIn(flag)
  if (text === '') throw new CliError(2, `error: ${name} is empty; pass a secret or leave it out`)
  const variable = text === null ? undefined : /^\$\{(\w+)\}$/.exec(text)?.[1]
  if (variable === undefined) return text
  const value = env[variable]
  if (value !== undefined && value !== '') return value
  throw new CliError(2, `error: ${name}: the variable ${ticked(oneLine(variable))} is not set`)
}

/** The text of a flag; null if it was not given. */
export const textIn = (flag: unknown): string | null => (typeof flag === 'string' ? flag : null)
