import { type Context, Hono } from 'hono'
import { deleteCookie, setCookie } from 'hono/cookie'
import { guards } from '../../control/guards.ts'
import type { ControlParts } from '../../control/parts.ts'
import { sessionCookie } from '../../control/session.ts'
import { EmulatorError } from '../../domain/errors.ts'
import { sameText } from '../../domain/signature.ts'
import { formIn } from '../form-in.ts'
import { ownPath } from './back.ts'
import { plainPage } from './layout.tsx'
import { page } from './page.ts'
import { TokenQuestion } from './token-question.tsx'

const path = '/_emulator'

/** The way in, by the control token, and out again. */
export function sessionRoutes({ guard: settings }: ControlParts): Hono {
  const app = new Hono()
  const { controlToken } = settings
  app.post('/ui/token', guardsBut('control_token', guards(settings)), async (c) => {
    const form = await formIn(c)
    const back = ownPath(form.get('back'))
    if (controlToken === null) return c.redirect(back, 303)
    if (!sameText(form.get('token')?.trim() ?? '', controlToken))
      return page(plainPage('Control token', <TokenQuestion back={back} wrong />), 401)
    const { name, value } = sessionCookie(controlToken)
    setCookie(c, name, value, { path, httpOnly: true, sameSite: 'Strict', secure: isHttps(c) })
    return c.redirect(back, 303)
  })
  app.post('/ui/log-out', guards(settings), (c) => {
    if (controlToken !== null) deleteCookie(c, sessionCookie(controlToken).name, { path })
    return c.redirect(`${path}/`, 303)
  })
  return app
}

/** What the browser itself says of the page with the form; the emulator may stand behind a proxy. */
const isHttps = (c: Context): boolean => c.req.header('origin')?.startsWith('https://') ?? false

/** All guards but one, for the page that opens it. */
const guardsBut =
  (code: string, guard: ReturnType<typeof guards>): ReturnType<typeof guards> =>
  async (c, next) => {
    try {
      return await guard(c, next)
    } catch (error) {
      if (!(error instanceof EmulatorError) || error.code !== code) throw error
      return next()
    }
  }
