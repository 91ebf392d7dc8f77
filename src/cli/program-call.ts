import { ownProgramCall } from '../package.ts'
import type { Environment } from './terminal.ts'

/** How this program was called; npm tells in a variable. For commands that a user is to copy. */
export function programCall({ npm_lifecycle_event: event }: Environment): string {
  if (event === 'start') return ownProgramCall
  return event === 'npx' ? 'npx payment-order-emulator' : 'payment-order-emulator'
}
