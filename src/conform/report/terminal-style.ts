import { styleText } from 'node:util'

/** A style of Node's `styleText`: a colour or weight, or several. */
export type Look = Parameters<typeof styleText>[0]

/** Formats words for a terminal, or leaves them unchanged. */
export type Paint = (look: Look, words: string) => string

/** Returns the formatter for output with or without colours. */
export const painter = (colours: boolean): Paint =>
  colours
    ? // Empty words stay empty, so that callers can leave them out.
      (look, words) => (words === '' ? '' : styleText(look, words, { validateStream: false }))
    : (_, words) => words
