import { type Context, Hono } from 'hono'
import { setCookie } from 'hono/cookie'
import { z } from 'zod'
import { refused } from '../../control/control.ts'
import { guards } from '../../control/guards.ts'
import type { ControlParts } from '../../control/parts.ts'
import { secured } from '../../control/secured.ts'
import { sessionCookie } from '../../control/session.ts'
import { EmulatorError } from '../../domain/errors.ts'
import { sameText } from '../../domain/signature.ts'
import { readBody } from '../../http/body.ts'
import { queryOf, urlParts } from '../../http/url.ts'
import { pageHeaders } from '../page-headers.ts'
import { actionOf, curlOf, UnusableForm } from './action.ts'
import { ControlApi, Refused } from './control-api.ts'
import { dashboardPage, plainPage } from './layout.tsx'
import { type Note, Notes } from './notes.ts'
import { ordersPage } from './orders-page.tsx'
import { TokenQuestion } from './token-question.tsx'
import type { DashboardPage, Shell } from './view.ts'

const pages: readonly DashboardPage[] = [ordersPage]

/** What every path begins with. */
const root = '/_emulator'

/** The dashboard: `/_emulator/` and what is below `/_emulator/ui`.
 *  @param control the calls of the control API, without their guards: the dashboard has the same */
export function createDashboard(parts: ControlParts, control: Hono): Hono {
  const app = new Hono()
  const api = new ControlApi(control)
  const notes = new Notes()
  const { controlToken } = parts.guard
  const shellOf = (c: Context): Shell => {
    const { origin, path } = urlParts(c.req.url)
    const query = queryOf(path)
    const note = notes.find(query.get('note') ?? undefined)
    return {
      ...{ origin, note, version: parts.version, asksForToken: controlToken !== null },
      here: withoutNote(path),
      clientId: query.get('clientId') || undefined,
    }
  }
  const html = (c: Context, text: string, status: 200 | 400 | 401 | 403 | 404 | 421 | 500 = 200) =>
    c.body(text, status, pageHeaders('nowhere'))

  app.use(secured)
  app.onError((error, c) => {
    // A program that came here by mistake gets words that it can read.
    if (!c.req.header('accept')?.includes('text/html')) return refused(error, parts)
    if (error instanceof EmulatorError && error.code === 'control_token')
      return html(c, plainPage('Control token', <TokenQuestion back={c.req.path} wrong={false} />), 401)
    if (error instanceof EmulatorError && (error.code === 'cross_site' || error.code === 'host_not_allowed'))
      return html(c, plainPage('Refused', <p>{error.message}</p>), error.code === 'cross_site' ? 403 : 421)
    if (error instanceof UnusableForm) return html(c, plainPage('Unusable form', <p>{error.message}</p>), 400)
    if (error instanceof Refused && error.status === 404) {
      const view = { title: 'Nothing here', body: <p class="empty">{error.message}</p> }
      return html(c, dashboardPage(view, shellOf(c)), 404)
    }
    if (error instanceof Refused || error instanceof EmulatorError)
      return html(
        c,
        dashboardPage({ title: 'Refused', body: <p class="empty">{error.message}</p> }, shellOf(c)),
        400,
      )
    const id = parts.journal.nextId()
    parts.onError(error, id)
    return html(c, plainPage('A bug', <p>{new EmulatorError('internal', { id }).message}</p>), 500)
  })

  const guard = guards(parts.guard)
  app.post(`${root}/ui/token`, guardsBut('control_token', guard), async (c) => {
    const form = await formIn(c)
    const back = ownPath(form.get('back'))
    if (controlToken === null || !sameText(form.get('token')?.trim() ?? '', controlToken))
      return html(c, plainPage('Control token', <TokenQuestion back={back} wrong />), 401)
    const { name, value } = sessionCookie(controlToken)
    setCookie(c, name, value, { httpOnly: true, sameSite: 'Strict', path: root })
    return c.redirect(back, 303)
  })
  for (const path of [root, `${root}/`]) app.use(path, guard)
  app.get(root, (c) => c.redirect(`${root}/`, 308))
  app.use(`${root}/ui/*`, guard)
  app.post(`${root}/ui/act`, async (c) => {
    const form = [...(await formIn(c))]
    const note = await done(form, api)
    return c.redirect(withNote(ownPath(wayOn(note)), notes.add(note)), 303)
  })
  app.post(`${root}/ui/curl`, async (c) => {
    const text = curlOf(actionOf([...(await formIn(c))]), urlParts(c.req.url).origin, controlToken !== null)
    return c.text(text, 200, { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  })
  for (const { path, show } of pages) {
    app.get(`${root}${path}`, async (c) => {
      const shell = shellOf(c)
      const query = Object.fromEntries(queryOf(c.req.url))
      const view = await show({ api, shell, query, param: (name) => c.req.param(name) ?? '' })
      return html(c, dashboardPage(view, shell), view.status)
    })
  }
  app.all(`${root}/ui/*`, (c) => {
    const view = { title: 'Nothing here', body: <p class="empty">There is no page at {c.req.path}.</p> }
    return html(c, dashboardPage(view, shellOf(c)), 404)
  })
  return app
}

/** Makes the call of a form. What it says, and what is wrong with the form, is what the note tells. */
async function done(form: readonly [string, string][], api: ControlApi) {
  try {
    const action = actionOf(form)
    return { action, fields: form, ...(await api.act(action)) }
  } catch (error) {
    if (!(error instanceof UnusableForm)) throw error
    return { action: null, fields: form, status: null, text: error.message }
  }
}

/** Where the browser goes: on with what was made, or back. */
function wayOn({ fields, status, text }: Omit<Note, 'id'>): string | undefined {
  const named = (wanted: string) => fields.find(([name]) => name === wanted)?.[1]
  const isDone = status !== null && status < 400
  return (isDone ? filledIn(named('then'), text) : undefined) ?? named('back')
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

const formIn = async (c: Context): Promise<URLSearchParams> =>
  new URLSearchParams((await readBody(c.req.raw)).text)

/** Where a form wants to go back to, if that is a page of ours. */
function ownPath(path: string | null | undefined): string {
  return path && /^\/_emulator\/(?:$|\?|ui\/)[\x20-\x7e]*$/.test(path) ? path : '/_emulator/'
}

function withNote(path: string, id: string): string {
  const [address = '', place] = path.split('#')
  const [page = '', search = ''] = address.split('?')
  const query = new URLSearchParams(search)
  query.set('note', id)
  return `${page}?${query}${place === undefined ? '' : `#${place}`}`
}

function withoutNote(path: string): string {
  const [page = '', search = ''] = path.split('?')
  const query = new URLSearchParams(search)
  query.delete('note')
  return query.size === 0 ? page : `${page}?${query}`
}
