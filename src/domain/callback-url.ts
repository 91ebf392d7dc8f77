import type { Order } from './order.ts'

const executable = /^(javascript|data|vbscript|file|blob|about|view-source):/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const control = /[\u0000-\u001f\u007f]/

/** Whether a browser may be sent there: absolute, http(s) or an app's own scheme; nothing that a browser would
 *  execute (N32). */
export const isCallbackUrl = (url: string): boolean =>
  !control.test(url) && !executable.test(url.trim()) && isAbsolute(url)

function isAbsolute(url: string): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase()
  if (scheme === undefined || !URL.canParse(url)) return false
  return !['http', 'https'].includes(scheme) || /^https?:\/\/[^/?#\\]/i.test(url)
}

/** Where the payer's browser goes afterwards: the order's `callbackUrl` with `data` added (R41, N55).
 *  @returns null if there is none, or none that a browser may be sent to: fixtures take any text */
export function returnUrl(
  order: Pick<Order, 'requestId' | 'orderId' | 'orderStatus' | 'request'>,
): string | null {
  const { callbackUrl } = order.request
  if (callbackUrl === undefined || !isCallbackUrl(callbackUrl)) return null
  const { requestId, orderId, orderStatus } = order
  const data = Buffer.from(JSON.stringify({ requestId, orderId, orderStatus })).toString('base64url')
  // A header carries ASCII only, and a domain in other letters has a form of its own.
  return new URL(withParameter(callbackUrl, `data=${data}`)).href
}

/** Put in as text: what is there already stays as it is, letter for letter. */
function withParameter(url: string, parameter: string): string {
  const [, base = '', query, fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url) ?? []
  const joint = query === undefined ? '?' : /[?&]$/.test(query) ? '' : '&'
  return `${base}${query ?? ''}${joint}${parameter}${fragment}`
}
