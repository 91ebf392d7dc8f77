import { createHash, createHmac } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { getCookie } from 'hono/cookie'
import { EmulatorError } from '../domain/text/errors.ts'
import { isUrl } from '../domain/text/urls.ts'
import { sameText } from '../domain/webhook/signature.ts'

export interface GuardSettings {
  /** Token required as `Authorization: Bearer <token>` or in the dashboard's cookie; null leaves the API open. */
  readonly controlToken: string | null
  /** Additional host names that are allowed. IP addresses and local names are always allowed. */
  readonly allowedHosts: readonly string[]
}

/** Guards of the control API: Host header (DNS rebinding), origin (requests from other web pages), token. */
export function guards(settings: GuardSettings): MiddlewareHandler {
  return async (c, next) => {
    const authorised = hasToken(c, settings.controlToken)
    if (!authorised) checkHost(c, settings.allowedHosts)
    if (!isNavigation(c)) checkOrigin(c)
    if (settings.controlToken !== null && !authorised) throw new EmulatorError('control_token')
    await next()
  }
}

function hasToken(c: Context, token: string | null): boolean {
  if (token === null) return false
  const header = c.req.header('authorization')
  if (header !== undefined) return sameText(header.replace(/^bearer +/i, 'Bearer '), `Bearer ${token}`)
  const { name, value } = sessionCookie(token)
  return sameText(getCookie(c, name) ?? '', value)
}

/** Prevents DNS rebinding: a page on a foreign name that resolves to this machine sends that name in its Host
 *  header. */
function checkHost(c: Context, allowedHosts: readonly string[]): void {
  const header = c.req.header('host')
  // Only HTTP/1.0 requests get this far without a Host header.
  if (header === undefined) {
    const remedy = 'Send one, such as `Host: 127.0.0.1`, or use HTTP/1.1'
    throw new EmulatorError('host_not_allowed', { host: 'a request without the header Host', remedy })
  }
  const host = hostName(header)
  if (host === null || !(isLocalName(host) || allowedHosts.includes(host))) {
    const remedy = `Start it with --allowed-host ${host ?? '<name>'}, or use an IP address`
    throw new EmulatorError('host_not_allowed', { host: `the host "${header}"`, remedy })
  }
}

/** Host name of a Host header in lower case, without port; null if the header is invalid. */
function hostName(header: string): string | null {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i.exec(header)
  return match?.[1]?.toLowerCase().replace(/\.$/, '') ?? null
}

function isLocalName(host: string): boolean {
  if (host.startsWith('[') || /^\d{1,3}(\.\d{1,3}){3}$/.test(host)) return true
  return !host.includes('.') || /\.(localhost|local|internal)$/.test(host)
}

/** Whether the request is a followed link. The linking page can neither read nor frame the response. */
function isNavigation({ req }: Context): boolean {
  return (
    req.method === 'GET' &&
    req.header('sec-fetch-mode') === 'navigate' &&
    req.header('sec-fetch-dest') === 'document'
  )
}

/** Rejects requests from pages of other origins. Programs other than browsers send no origin and pass. Reads are
 *  rejected too, because a foreign page could keep streams open. */
function checkOrigin(c: Context): void {
  const site = c.req.header('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new EmulatorError('cross_site')
  const origin = c.req.header('origin')
  if (origin === undefined) return
  const own = origin !== 'null' && isUrl(origin) && new URL(origin).host === c.req.header('host')
  if (!own) throw new EmulatorError('cross_site')
}

/** Cookie that proves knowledge of the control token without revealing it. Its name distinguishes emulators on
 *  different ports of one host. */
export function sessionCookie(controlToken: string): { name: string; value: string } {
  const name = createHash('sha256').update(controlToken).digest('hex').slice(0, 8)
  const value = createHmac('sha256', controlToken).update('dashboard').digest('base64url')
  return { name: `emulator-control-${name}`, value }
}
