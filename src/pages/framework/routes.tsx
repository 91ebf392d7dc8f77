import { type Context, Hono } from 'hono'
import { deleteCookie, setCookie } from 'hono/cookie'
import * as z from 'zod'
import { guards, sessionCookie } from '../../control/guards.ts'
import type { ControlParts } from '../../control/parts.ts'
import { EmulatorError } from '../../domain/text/errors.ts'
import { sameText } from '../../domain/webhook/signature.ts'
import { actionOf, curlOf, UnusableForm } from './action.ts'
import { cookieOptions, rememberCommands } from './browser-memory.ts'
import type { ControlApi } from './control-api.ts'
import { TokenQuestion } from './failure.tsx'
import { formIn } from './http.ts'
import { page, plainPage } from './layout.tsx'
import { isGood, type Note, type Notes, ownPath, withNote } from './notes.ts'

const path = '/_emulator'

/** The routes for signing in with the control token, and out. */
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
    setCookie(c, name, value, cookieOptions(c))
    return c.redirect(back, 303)
  })
  app.post('/ui/log-out', guards(settings), (c) => {
    if (controlToken !== null) deleteCookie(c, sessionCookie(controlToken).name, { path })
    return c.redirect(`${path}/`, 303)
  })
  return app
}

/** Returns the guards without the one that refuses with the given error code, for the sign-in page. */
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

/** The routes of forms: make a call, show it as a command, or choose whether commands are shown. */
export function actRoutes(
  api: ControlApi,
  notes: Notes,
  { originOf, asksForToken }: { originOf: (c: Context) => string; asksForToken: boolean },
): Hono {
  const app = new Hono()
  app.post('/ui/act', async (c) => {
    const form = [...(await formIn(c))]
    const note = await done(form, api)
    const to = withNote(ownPath(wayOn(note)), notes.add(note))
    // A script needs the target as JSON, because it cannot read a redirect.
    return c.req.header('accept') === 'application/json'
      ? c.json({ to, good: isGood(note) })
      : c.redirect(to, 303)
  })
  app.post('/ui/commands', async (c) => {
    const form = await formIn(c)
    rememberCommands(c, form.get('shown') === 'true')
    return c.redirect(ownPath(form.get('back')), 303)
  })
  app.post('/ui/curl', async (c) =>
    c.text(curlOf(actionOf([...(await formIn(c))]), originOf(c), asksForToken)),
  )
  return app
}

/** Makes the call of a form. The note has its answer, or the problem of the form. */
async function done(fields: readonly [string, string][], api: ControlApi): Promise<Note> {
  try {
    const action = actionOf(fields)
    return { action, fields, ...(await api.act(action)) }
  } catch (error) {
    if (!(error instanceof UnusableForm)) throw error
    return { action: null, fields, status: null, text: error.message }
  }
}

/** Returns the page after a button: the page of the result, or none to go back. */
function wayOn(note: Note): string | undefined {
  const named = (wanted: string) => note.fields.find(([name]) => name === wanted)?.[1]
  return (isGood(note) ? filledIn(named('then'), note.text) : undefined) ?? named('back')
}

/** Replaces `{names}` in a path by fields of an answer; undefined if one is missing. */
function filledIn(path: string | undefined, answer: string): string | undefined {
  const names = [...(path?.matchAll(/\{(\w+)\}/g) ?? [])].flatMap(([, name]) => name ?? [])
  if (names.length === 0) return path
  const members = answerMembers.safeParse(JSON.parse(answer)).data ?? {}
  return names.reduce<string | undefined>((filled, name) => {
    const member = members[name]
    return member === undefined ? undefined : filled?.replace(`{${name}}`, encodeURIComponent(String(member)))
  }, path)
}

const answerMembers = z.record(z.string(), z.unknown())
