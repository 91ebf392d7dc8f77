import { shellQuoted } from '../shell-quote.ts'
import { shownCharacters } from './long-text.tsx'

/** Whether a text arrives as it is when somebody copies it from a page into a shell. Browsers make line feeds of
 *  carriage returns. */
export const canBePasted = (text: string): boolean =>
  text.length <= shownCharacters && !/[\r\0]/.test(text) && text.isWellFormed()

/** A curl command with a body.
 *  @param source a command that prints the body, for one that cannot be pasted */
export function withBody(options: readonly string[], body: string, source: string): string {
  const [first = '', ...rest] = options
  const joined = (option: string) => [first, ...rest, option].join(' \\\n  ')
  // Of --data-binary, a text that begins with @ would be the name of a file.
  return canBePasted(body)
    ? joined(`--data-raw ${shellQuoted(body)}`)
    : `${source} |\n${joined('--data-binary @-')}`
}

/** A header as an option of curl: one without a value is written otherwise, or it would be taken away. */
export const headerOption = (name: string, value: string): string =>
  `-H ${shellQuoted(value === '' ? `${name};` : `${name}: ${value}`)}`

/** A command that prints a member of what the control API answers. */
export function memberSource(
  url: string,
  member: string,
  { asksForToken }: { readonly asksForToken: boolean },
): string {
  const token = asksForToken ? ' -H "Authorization: Bearer $EMULATOR_CONTROL_TOKEN"' : ''
  return `curl -s${token} ${shellQuoted(url)} | jq -j ${shellQuoted(member)}`
}
