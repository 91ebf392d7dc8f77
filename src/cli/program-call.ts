import { ownProgramCall } from '../app/package.ts'
import { shellQuoted } from '../domain/text/shell.ts'
import type { Environment } from './terminal.ts'

/** How this program was called; npm tells in a variable. For commands that a user is to copy. */
export function programCall({ npm_lifecycle_event: event }: Environment): string {
  if (event === 'start') return ownProgramCall
  return event === 'npx' ? 'npx payment-order-emulator' : 'payment-order-emulator'
}

/** A text as one word of a POSIX shell; bare where that is safe. */
export function shellQuote(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : shellQuoted(text)
}
