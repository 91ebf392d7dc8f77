import { type Context, Hono } from 'hono'
import { deleteCookie, setCookie } from 'hono/cookie'
import * as z from 'zod'
import { guards, sessionCookie } from '../../control/guards.ts'
import type { ControlParts } from '../../control/parts.ts'
import { EmulatorError } from '../../domain/text/errors.ts'
import { sameText } from '../../domain/webhook/signature.ts'
import { actionOf, curlOf, UnusableForm } from './action.ts'
import type { ControlApi } from './control-api.ts'
import { TokenQuestion } from './failure.tsx'
import { formIn } from './http.ts'
import { page, plainPage } from './layout.tsx'
import { isGood, type Note, type Notes, ownPath, withNote } from './notes.ts'

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

/** What forms send: a call to be made, or to be written as a command. */
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
    // A script has to know where to before it goes there.
    return c.req.header('accept') === 'application/json'
      ? c.json({ to, good: isGood(note) })
      : c.redirect(to, 303)
  })
  app.post('/ui/curl', async (c) =>
    c.text(curlOf(actionOf([...(await formIn(c))]), originOf(c), asksForToken)),
  )
  return app
}

/** Makes the call of a form. What it says, and what is wrong with the form, is what the note tells. */
async function done(fields: readonly [string, string][], api: ControlApi): Promise<Note> {
  try {
    const action = actionOf(fields)
    return { action, fields, ...(await api.act(action)) }
  } catch (error) {
    if (!(error instanceof UnusableForm)) throw error
    return { action: null, fields, status: null, text: error.message }
  }
}

/** Where the browser goes: on with what was made, or back. */
function wayOn(note: Note): string | undefined {
  const named = (wanted: string) => note.fields.find(([name]) => name === wanted)?.[1]
  return (isGood(note) ? filledIn(named('then'), note.text) : undefined) ?? named('back')
}

/** A path with members of an answer in the place of `{their names}`; undefined if it has none of a name. */
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
