import { shellQuoted } from '../../../domain/shell-quote.ts'
import { curlOf } from '../action.ts'
import { Confirm } from '../confirm.tsx'
import { Curl } from '../form.tsx'
import type { Shell } from '../view.ts'
import { restoreAction } from './restore.ts'
import { snapshotFile, snapshotUrl } from './snapshot-file.ts'

/** Saving all of it, or one client's world, and taking it back. */
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
        <Curl id="save-curl" text={saveCommand(shell)} />
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
            <Curl text={curlOf(restoreAction(clientId), origin, asksForToken)} id="restore-curl" />
          </div>
        </form>
      </Confirm>
    </section>
  )
}

/** The same as a command, into the file that the command for restoring reads. */
function saveCommand({ clientId, origin, asksForToken }: Shell): string {
  return [
    `curl ${shellQuoted(`${origin}${snapshotUrl(clientId)}`)}`,
    ...(asksForToken ? ['-H "Authorization: Bearer $EMULATOR_CONTROL_TOKEN"'] : []),
    `--output ${shellQuoted(snapshotFile(clientId))}`,
  ].join(' \\\n  ')
}
