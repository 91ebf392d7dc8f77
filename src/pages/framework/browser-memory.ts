import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { urlParts } from '../../http/request.ts'
import { wallNow } from '../../time/wall.ts'
import type { Failures } from './view.ts'

// What a browser remembers of the dashboard, as cookies. Their names have the port, which cookies ignore: each emulator
// on this machine has its own.

const nameOf = (c: Context, what: string) => `emulator-${new URL(urlParts(c.req.url).origin).port}-${what}`

/** The attributes of every cookie of the dashboard. */
export const cookieOptions = (c: Context) =>
  ({ path: '/_emulator', httpOnly: true, sameSite: 'Strict', secure: isHttps(c) }) as const

/** Whether the browser uses https, by its own headers; the emulator may be behind a proxy. */
const isHttps = (c: Context): boolean =>
  [c.req.header('origin'), c.req.header('referer')].some((header) => header?.startsWith('https://'))

/** Returns when the browser last looked at the failures, in wall-clock milliseconds. */
export function lastLook(c: Context, at: keyof Failures): string | undefined {
  const told = getCookie(c, nameOf(c, at)) ?? ''
  return /^\d{1,15}$/.test(told) ? told : undefined
}

/** Remembers that the browser looks at the failures now. */
export function rememberLook(c: Context, at: keyof Failures): void {
  setCookie(c, nameOf(c, at), String(wallNow()), cookieOptions(c))
}

/** Whether buttons show their commands. */
export const showsCommands = (c: Context): boolean => getCookie(c, nameOf(c, 'commands')) === 'shown'

/** Remembers whether buttons show their commands. */
export function rememberCommands(c: Context, shown: boolean): void {
  setCookie(c, nameOf(c, 'commands'), shown ? 'shown' : 'hidden', {
    ...cookieOptions(c),
    maxAge: 365 * 24 * 60 * 60,
  })
}
