import type { Cause } from './causes.ts'

/** One thing that a caller did otherwise than the service wants it. */
export interface Mistake {
  readonly cause: Cause
  /** A clause about the caller, e.g. `you signed the hex digest`. */
  readonly words: string
}

/** Several mistakes as one clause. */
export const inWords = (mistakes: readonly Mistake[]): string =>
  mistakes.map(({ words }) => words).join(', and ')
