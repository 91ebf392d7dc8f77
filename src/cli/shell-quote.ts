import { shellQuoted } from '../domain/shell-quote.ts'

/** A text as one word of a POSIX shell; bare where that is safe. */
export function shellQuote(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : shellQuoted(text)
}
