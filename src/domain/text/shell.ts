/** What a terminal may act on, what a shell may complete, and what cannot be seen or turns the order of the rest about:
 *  all control characters but the newline, format characters, line separators. Quotes do not help, since a terminal
 *  knows none: it takes 0x03 for Ctrl+C wherever that stands. */
const notPlain = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** Whether a text arrives in a shell as it is when somebody copies it from a page, and does nothing on its way. */
export const isPlain = (text: string): boolean => text.search(notPlain) < 0

/** A text as one word of a POSIX shell, safe to be pasted. A word that is not plain loses newlines at its end. */
export const shellQuoted = (text: string): string =>
  isPlain(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"$(${printed(text)})"`

/** A command of a POSIX shell that prints a text byte by byte, plain however the text is. */
export function printed(text: string): string {
  const spelled = text.replaceAll('\\', '\\\\').replaceAll(notPlain, octal)
  return `printf %b '${spelled.replaceAll("'", "'\\''")}'`
}

const octal = (character: string): string =>
  [...Buffer.from(character)].map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('')

/** A URL for curl, which otherwise would make many of one with brackets, and take dot segments away. */
export const exactUrl = (url: string): string =>
  [
    ...(/[[\]{}]/.test(url) ? ['-g'] : []),
    ...(/\/(?:\.|%2e){1,2}(?:[/?#]|$)/i.test(url) ? ['--path-as-is'] : []),
    shellQuoted(url),
  ].join(' ')

/** A header as an option of curl: one without a value is written otherwise, or it would be taken away. */
export const headerOption = (name: string, value: string): string =>
  `-H ${shellQuoted(value === '' ? `${name};` : `${name}: ${value}`)}`
