import { styleText } from 'node:util'

type Look = Parameters<typeof styleText>[0]

/** Dresses words for a terminal, or leaves them as they are. */
export type Paint = (look: Look, words: string) => string

/** How words are dressed where colours are wanted, and where they are not. */
export const painter = (colours: boolean): Paint =>
  colours
    ? // What is not there is not dressed: it could not be left out any more.
      (look, words) => (words === '' ? '' : styleText(look, words, { validateStream: false }))
    : (_, words) => words
