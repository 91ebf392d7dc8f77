import { isUrl } from '../text/urls.ts'
import type { Order } from './order.ts'

/** Matches URLs that run code, also within another scheme: `feed:javascript:…`. */
const executable =
  /^(?:[a-z][a-z0-9+.-]*:)*(?:javascript|data|vbscript|file|filesystem|blob|about|view-source|jar|chrome|edge|resource):/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const control = /[\u0000-\u001f\u007f]/

/** Whether a URL is safe for a browser: absolute, http(s) or an app's own scheme; nothing that a browser would
 *  execute (N32). */
export const isCallbackUrl = (url: string): boolean =>
  !control.test(url) && !executable.test(url.trim()) && isAbsolute(url)

const isAbsolute = (url: string): boolean =>
  /^(?:https?:\/\/[^/?#\\]|(?!https?:)[a-z][a-z0-9+.-]*:)/i.test(url) && isUrl(url)

/** The URL to which the payer's browser returns: the order's `callbackUrl` with `data` added (R41, N55).
 *  @returns null if there is none, or none that is safe for a browser: fixtures take any text */
export function returnUrl(
  order: Pick<Order, 'requestId' | 'orderId' | 'orderStatus' | 'request'>,
): string | null {
  const { callbackUrl } = order.request
  return callbackUrl === undefined || !isCallbackUrl(callbackUrl) ? null : returnUrlTo(callbackUrl, order)
}

/** Adds `data` about an order to a `callbackUrl`. The data is unsigned, so it may claim anything. */
export function returnUrlTo(
  callbackUrl: string,
  { requestId, orderId, orderStatus }: Pick<Order, 'requestId' | 'orderId' | 'orderStatus'>,
): string {
  const data = Buffer.from(JSON.stringify({ requestId, orderId, orderStatus })).toString('base64url')
  return inAscii(withParameter(callbackUrl, `data=${data}`))
}

/** Converts a URL to ASCII, for a header. A domain with other letters gets its ASCII form. */
function inAscii(url: string): string {
  const host = /^https?:\/\/([^/?#\\]*)/i.exec(url)?.[1] ?? ''
  const written = isPrintable(host) ? url : url.replace(host, () => new URL(url).host)
  return written.replace(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(text.toWellFormed()))
}

const isPrintable = (text: string): boolean => /^[\x21-\x7e]*$/.test(text)

/** Adds a query parameter to a URL without changing the rest of its text. */
function withParameter(url: string, parameter: string): string {
  const [, base = '', query, fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url) ?? []
  const joint = query === undefined ? '?' : /[?&]$/.test(query) ? '' : '&'
  return `${base}${query ?? ''}${joint}${parameter}${fragment}`
}

type Opened = Pick<Order, 'token' | 'request'>

/** The URL that the create call asked for by `mode`, of the payment page or of an app (R34-R37, N8).
 *  @param pages the URL under which the payment pages are
 *  @returns null without `mode` */
export function paymentUrl({ token, request }: Opened, pages: string): string | null {
  if (request.mode === undefined) return null
  return request.mode === 'returnUrl' ? `${pages}/${token}` : appUrl({ token, request })
}

/** The URL that opens the payer's app on a phone (N8). */
export function appUrl({ token, request: { targetApp = '' } }: Opened): string {
  return `paymentemulator://pay?token=${token}&app=${encodeURIComponent(targetApp)}`
}
