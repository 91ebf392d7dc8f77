import { type Context, Hono } from 'hono'
import { actionOf, curlOf, UnusableForm } from './action.ts'
import { ownPath, withNote } from './back.ts'
import type { ControlApi } from './control-api.ts'
import { formIn } from './form-in.ts'
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
    const to = withNote(ownPath(form.find(([name]) => name === 'back')?.[1]), notes.add(note))
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
