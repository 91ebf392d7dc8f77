import { Hono } from 'hono'
import { ownPath, withNote } from '../back.ts'
import type { ControlApi } from '../control-api.ts'
import type { Notes } from '../notes.ts'
import { restoreUpload } from './restore.ts'

/** Where the form with a snapshot goes. */
export function restoreRoute(api: ControlApi, notes: Notes): Hono {
  return new Hono().post('/ui/restore', async (c) => {
    const { note, back } = await restoreUpload(c, api)
    return c.redirect(withNote(ownPath(back), notes.add(note)), 303)
  })
}
