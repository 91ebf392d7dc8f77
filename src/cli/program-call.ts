import { ownProgramCall } from '../app/package.ts'
import { shellQuoted } from '../domain/text/shell.ts'
import type { Environment } from './terminal.ts'

/** The command line of this program, for commands to copy. npm sets a variable. */
export function programCall({ npm_lifecycle_event: event }: Environment): string {
  if (event === 'start') return ownProgramCall
  return event === 'npx' ? 'npx payment-order-emulator' : 'payment-order-emulator'
}

/** Quotes a text as one word of a POSIX shell, if necessary. */
export function shellQuote(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : shellQuoted(text)
}
