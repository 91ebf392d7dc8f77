import { type Context, Hono } from 'hono'
import { shellQuoted } from '../../../domain/text/shell.ts'
import { formParts, readBytes, snapshotBytes } from '../../../http/body.ts'
import { queryText } from '../../../http/request.ts'
import { type Action, curlOf, UnusableForm } from '../../framework/action.ts'
import type { ControlApi } from '../../framework/control-api.ts'
import { Command } from '../../framework/form.tsx'
import type { Note, Notes } from '../../framework/notes.ts'
import { ownPath, withNote } from '../../framework/notes.ts'
import { Confirm } from '../../framework/parts.tsx'
import type { Shell } from '../../framework/view.ts'

/** The file name of a snapshot, for buttons and commands alike. */
export const snapshotFile = (clientId: string | undefined): string =>
  clientId === undefined ? 'snapshot.json' : `snapshot-${encodeURIComponent(clientId)}.json`

/** The URL of a snapshot, below the emulator's origin. */
export const snapshotUrl = (clientId: string | undefined): string =>
  `/_emulator/snapshot${queryText({ clientId })}`

/** The number of bytes that a form adds to its file. */
const formBytes = 64 * 1024

/** The restoring call. It names the file instead of containing it: a note is stored, and a snapshot is large. */
const restoreAction = (clientId: string | undefined): Action => ({
  method: 'PUT',
  path: `/snapshot${queryText({ clientId })}`,
  type: 'application/json',
  text: null,
  file: snapshotFile(clientId),
})

/** Restores an uploaded snapshot with `PUT /snapshot`. Made here, because a browser without JavaScript has no other
 *  way to send a file.
 *  @returns the note, and the page that shows it
 *  @throws UnusableForm, too_large, body_cut */
async function restoreUpload(
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

/** Forms that save and restore everything, or one client. */
export function Snapshots({ shell }: { shell: Shell }) {
  const { clientId, origin, asksForToken } = shell
  const whose = clientId === undefined ? 'everything' : `the data of ${clientId}`
  return (
    <section aria-labelledby="snapshot">
      <h2 id="snapshot">Snapshot</h2>
      <p>
        A snapshot contains {whose}. After a restore, orders continue exactly as they would have here. It
        contains credentials: keep it as safe as a password.
      </p>
      <div class="act-row save">
        <a class="button" href={snapshotUrl(clientId)} download={snapshotFile(clientId)}>
          Save {whose}
        </a>
        {shell.showsCommands ? <Command text={saveCommand(shell)} /> : null}
      </div>
      <Confirm id="confirm-restore" label="Restore a snapshot…">
        <p>
          {clientId === undefined
            ? 'It replaces everything: clients, orders, settings.'
            : `The client ${clientId} of the snapshot replaces the one here. Other clients stay unchanged.`}
        </p>
        <form
          class="upload"
          method="post"
          action="/_emulator/ui/restore"
          enctype="multipart/form-data"
          id="restore"
        >
          <input type="hidden" name="back" value={shell.here} />
          {clientId === undefined ? null : <input type="hidden" name="clientId" value={clientId} />}
          <div class="field">
            <label for="restore-file">Snapshot file</label>
            <input id="restore-file" type="file" name="snapshot" accept="application/json,.json" required />
          </div>
          <div class="act-row">
            <button type="submit" class="button danger">
              Restore {whose}
            </button>
            {shell.showsCommands ? (
              <Command text={curlOf(restoreAction(clientId), origin, asksForToken)} />
            ) : null}
          </div>
        </form>
      </Confirm>
    </section>
  )
}

/** The command that saves a snapshot to the file of the restoring command. */
function saveCommand({ clientId, origin, asksForToken }: Shell): string {
  return [
    `curl ${shellQuoted(`${origin}${snapshotUrl(clientId)}`)}`,
    ...(asksForToken ? ['-H "Authorization: Bearer $EMULATOR_CONTROL_TOKEN"'] : []),
    `--output ${shellQuoted(snapshotFile(clientId))}`,
  ].join(' \\\n  ')
}

/** The route of the upload form. */
export function restoreRoute(api: ControlApi, notes: Notes): Hono {
  return new Hono().post('/ui/restore', async (c) => {
    const { note, back } = await restoreUpload(c, api)
    return c.redirect(withNote(ownPath(back), notes.add(note)), 303)
  })
}
