import { type Context, Hono } from 'hono'
import * as z from 'zod'
import { formIn } from '../form-in.ts'
import { actionOf, curlOf, UnusableForm } from './action.ts'
import { ownPath, withNote } from './back.ts'
import type { ControlApi } from './control-api.ts'
import { isGood, type Note, type Notes } from './notes.ts'

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
