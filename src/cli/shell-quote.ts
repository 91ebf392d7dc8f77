/** A text as one word of a POSIX shell; bare where that is safe. */
export function shellQuote(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : inQuotes(text)
}

/** A text in single quotes, whatever it holds. */
export const inQuotes = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
