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

/** The style of a terminal report. */
export interface TerminalStyle {
  readonly colours: boolean
  /** Characters in a line; null: no limit, as in a CI log. */
  readonly columns: number | null
}

/** How the parts of a report are formatted. */
export interface TextStyle {
  /** Characters in a line; null: no limit. */
  readonly columns: number | null
  readonly palette: Paint
}

export const textStyle = ({ colours, columns }: TerminalStyle): TextStyle => ({
  columns,
  palette: painter(colours),
})

/** The style of a message or file: without colours and line breaks. */
export const plainStyle: TextStyle = textStyle({ colours: false, columns: null })
