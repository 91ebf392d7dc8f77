import { createHash, createHmac } from 'node:crypto'

/** The cookie by which a browser shows that it knows the control token. Its name tells emulators on other ports of
 *  the same host apart (cookies don't), its value does not tell the token. */
export function sessionCookie(controlToken: string): { name: string; value: string } {
  const name = createHash('sha256').update(controlToken).digest('hex').slice(0, 8)
  const value = createHmac('sha256', controlToken).update('dashboard').digest('base64url')
  return { name: `emulator-control-${name}`, value }
}
