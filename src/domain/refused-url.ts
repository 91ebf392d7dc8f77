import { shown, ticked } from './issue-words.ts'

/** Ending of an error about an invalid URL: the value without secrets, and the URL that was probably meant. */
export function refusedUrl(text: unknown): string {
  if (typeof text !== 'string') return `, not ${shown(text)}`
  const safe = withoutSecrets(text)
  const hint = lacksScheme.test(text) ? `; did you mean ${ticked(`http://${safe}`)}?` : ''
  return `, not ${shown(safe)}${hint}`
}

/** `localhost:3000/webhook`, `shop.example.com`, `10.0.0.1`. */
const lacksScheme = /^(localhost|[\w-]+(\.[\w-]+)+|[\w-]+(?=:\d))(:\d{1,5})?([/?].*)?$/is

/** User name and password, and the query. */
const withoutSecrets = (text: string): string =>
  text.replace(/^([^/?#]*\/\/)?.*@/s, '$1***@').replace(/\?[^#]*/, '?***')

/** Whether a URL names port 0, on which nothing can listen. */
export const hasPortZero = (url: string): boolean => URL.parse(url)?.port === '0'
