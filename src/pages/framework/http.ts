import type { Context } from 'hono'
import { EmulatorError } from '../../domain/text/errors.ts'
import { readBody } from '../../http/body.ts'
import { refuseUndecodable, undecodable } from '../../http/request.ts'

/** Where a page may be shown. */
export type Framing = 'anywhere' | 'nowhere'

/** Headers of a page: it runs and shows only what comes from here, and tells no other site its address.
 *  A page that may be framed has no `form-action`, because browsers hold the redirect after a payment against it. */
export function pageHeaders(framing: Framing): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    framing === 'anywhere' ? 'frame-ancestors *' : "frame-ancestors 'none'",
    ...(framing === 'anywhere' ? [] : ["form-action 'self'"]),
  ]
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    // With `no-referrer` browsers name `null` as the origin of every form, which the guards take for a foreign one.
    'referrer-policy': framing === 'anywhere' ? 'no-referrer' : 'same-origin',
    'cache-control': 'no-store',
    ...(framing === 'anywhere' ? {} : { 'x-frame-options': 'DENY' }),
  }
}

/** What a form sends. @throws too_large, body_cut, invalid_input if it is not UTF-8 */
export async function formIn(c: Context): Promise<URLSearchParams> {
  const { text, utf8 } = await readBody(c)
  if (!utf8) throw new EmulatorError('invalid_input', { problems: 'the form is not valid UTF-8' })
  refuseUndecodable(undecodable(text))
  return new URLSearchParams(text)
}
