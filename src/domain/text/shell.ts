/** Matches characters that affect a terminal or a shell, or that are invisible or reorder text. They are control
 *  characters but the newline, format characters and line separators. Quoting does not help, since a terminal takes
 *  0x03 for Ctrl+C anywhere. */
const notPlain = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** Whether a text copied from a page arrives in a shell unchanged and without effects. */
export const isPlain = (text: string): boolean => text.search(notPlain) < 0

/** Quotes a text as one word of a POSIX shell, safe to paste. A word that is not plain loses newlines at its end. */
export const shellQuoted = (text: string): string =>
  isPlain(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"$(${printed(text)})"`

/** A POSIX shell command that prints a text byte by byte. The command itself is always plain text. */
export function printed(text: string): string {
  const spelled = text.replaceAll('\\', '\\\\').replaceAll(notPlain, octal)
  return `printf %b '${spelled.replaceAll("'", "'\\''")}'`
}

const octal = (character: string): string =>
  [...Buffer.from(character)].map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('')

/** A URL as arguments of curl, with the options that stop curl from expanding brackets or removing dot segments. */
export const exactUrl = (url: string): string =>
  [
    ...(/[[\]{}]/.test(url) ? ['-g'] : []),
    ...(/\/(?:\.|%2e){1,2}(?:[/?#]|$)/i.test(url) ? ['--path-as-is'] : []),
    shellQuoted(url),
  ].join(' ')

/** A header as an option of curl. A header without a value needs another form, or curl would remove it. */
export const headerOption = (name: string, value: string): string =>
  `-H ${shellQuoted(value === '' ? `${name};` : `${name}: ${value}`)}`
