import type { Context } from 'hono'
import { readBytes, snapshotBytes } from '../../../http/body.ts'
import { formParts } from '../../../http/form-parts.ts'
import { queryText } from '../../../http/request.ts'
import { type Action, UnusableForm } from '../action.ts'
import type { ControlApi } from '../control-api.ts'
import type { Note } from '../notes.ts'
import { snapshotFile } from './snapshot-file.ts'

/** What stands around the file in a form. */
const formBytes = 64 * 1024

/** The call that restores. It names the file instead of holding it: a note is kept, and a snapshot is large. */
export const restoreAction = (clientId: string | undefined): Action => ({
  method: 'PUT',
  path: `/snapshot${queryText({ clientId })}`,
  type: 'application/json',
  text: null,
  file: snapshotFile(clientId),
})

/** Restores the snapshot that a form uploads: the same call as `PUT /snapshot`, made here because a browser without
 *  JavaScript can send a file in no other way.
 *  @returns what the page that it leads back to tells, and that page
 *  @throws UnusableForm, too_large, body_cut */
export async function restoreUpload(
  c: Context,
  api: ControlApi,
): Promise<{ note: Omit<Note, 'id'>; back: string | undefined }> {
  const bytes = await readBytes(c, snapshotBytes + formBytes)
  const form = formParts(bytes, c.req.header('content-type') ?? '')
  if (form === null)
    throw new UnusableForm('This form contains no file. Go back, reload the page and try again.')
  const file = form.get('snapshot')
  const back = form.get('back')?.toString()
  const action = restoreAction(form.get('clientId')?.toString() || undefined)
  if (file === undefined || file.length === 0) {
    const text = 'No file was selected. Choose a saved snapshot, then restore it.'
    return { note: { action: null, status: null, text, fields: [] }, back }
  }
  const answer = await api.act(action, file)
  return { note: { action, fields: [], ...answer }, back }
}
