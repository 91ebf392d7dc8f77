import { exactUrl } from '../../domain/curl-words.ts'
import { isPlain, printed, shellQuoted } from '../../domain/shell-quote.ts'
import { shownCharacters } from './long-text.tsx'

/** Whether a text can stand in a command that somebody copies from a page. */
export const canBePasted = (text: string): boolean => text.length <= shownCharacters && isPlain(text)

/** A curl command with a body.
 *  @param source a command that prints the body, for one that cannot be pasted; if left out, one is made of the body */
export function withBody(options: readonly string[], body: string, source = printed(body)): string {
  const joined = (option: string) => [...options, option].join(' \\\n  ')
  // Of --data-binary, a text that begins with @ would be the name of a file.
  return canBePasted(body)
    ? joined(`--data-raw ${shellQuoted(body)}`)
    : `${source} |\n${joined('--data-binary @-')}`
}

/** A command that prints a member of what the control API answers. */
export function memberSource(
  url: string,
  member: string,
  { asksForToken }: { readonly asksForToken: boolean },
): string {
  const token = asksForToken ? ' -H "Authorization: Bearer $EMULATOR_CONTROL_TOKEN"' : ''
  return `curl -s${token} ${exactUrl(url)} | jq -j ${shellQuoted(member)}`
}
