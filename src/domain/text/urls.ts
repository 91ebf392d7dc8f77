import { shown, ticked } from './issue-words.ts'

/** Whether a text is a URL. `URL.canParse` is avoided: in Node 22, once V8 has compiled its caller, it rejects
 *  letters like ü. */
export const isUrl = (text: string, base?: string): boolean => URL.parse(text, base) !== null

/** The end of an error message about an invalid URL: the value without secrets, and the URL that was probably meant. */
export function refusedUrl(text: unknown): string {
  if (typeof text !== 'string') return `, not ${shown(text)}`
  const safe = withoutSecrets(text)
  const hint = lacksScheme.test(text) ? `; did you mean ${ticked(`http://${safe}`)}?` : ''
  return `, not ${shown(safe)}${hint}`
}

/** Matches URLs without a scheme: `localhost:3000/webhook`, `shop.example.com`, `10.0.0.1`. */
const lacksScheme = /^(localhost|[\w-]+(\.[\w-]+)+|[\w-]+(?=:\d))(:\d{1,5})?([/?].*)?$/is

/** Removes user name, password and query from a URL. */
const withoutSecrets = (text: string): string =>
  text.replace(/^([^/?#]*\/\/)?.*@/s, '$1***@').replace(/\?[^#]*/, '?***')

/** Whether a URL has port 0, on which nothing can listen. */
export const hasPortZero = (url: string): boolean => URL.parse(url)?.port === '0'
