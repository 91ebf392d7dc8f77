import type { Context } from 'hono'
import { EmulatorError } from '../../domain/text/errors.ts'
import { readBody } from '../../http/body.ts'
import { refuseUndecodable, undecodable } from '../../http/request.ts'

/** Which sites may show a page in a frame. */
export type Framing = 'anywhere' | 'nowhere'

/** Headers of a page: it loads and runs only its own files, and reveals its address to no other site. A framed page
 *  has no `form-action`, because browsers apply it to the redirect after a payment. */
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
    // With `no-referrer`, browsers send the origin `null` with every form, and the guards would refuse that.
    'referrer-policy': framing === 'anywhere' ? 'no-referrer' : 'same-origin',
    'cache-control': 'no-store',
    ...(framing === 'anywhere' ? {} : { 'x-frame-options': 'DENY' }),
  }
}

/** Reads a submitted form.
 *  @throws too_large, body_cut, invalid_input if it is not UTF-8 */
export async function formIn(c: Context): Promise<URLSearchParams> {
  const { text, utf8 } = await readBody(c)
  if (!utf8) throw new EmulatorError('invalid_input', { problems: 'the form is not valid UTF-8' })
  refuseUndecodable(undecodable(text))
  return new URLSearchParams(text)
}
