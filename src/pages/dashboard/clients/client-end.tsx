import { Confirm } from '../confirm.tsx'
import { Act } from '../form.tsx'
import { linkTo, type Shell } from '../view.ts'
import { EmptyWorld } from '../world/empty-world.tsx'
import { snapshotFile, snapshotUrl } from '../world/snapshot-file.ts'
import type { ShownClient } from './clients-page.tsx'

/** Saving a client’s world, emptying it, and the client’s end. */
export function ClientEnd({ client: { clientId }, shell }: { client: ShownClient; shell: Shell }) {
  return (
    <section aria-labelledby="world">
      <h2 id="world">Its data</h2>
      <p>
        <a href={snapshotUrl(clientId)} download={snapshotFile(clientId)}>
          Save it as a snapshot
        </a>{' '}
        before you break something on purpose, and <a href={linkTo({ clientId }, '/ui/world')}>restore it</a>{' '}
        later.
      </p>
      <EmptyWorld clientId={clientId} shell={shell} />
      <Confirm id="confirm-delete" label="Delete the client…">
        <p>This deletes the client and all its data. An application that uses it gets 401 from then on.</p>
        <Act
          shell={shell}
          id="delete-client"
          action={{ method: 'DELETE', path: `/clients/${encodeURIComponent(clientId)}` }}
          label={`Delete ${clientId}`}
          look="danger"
          then={linkTo(clientId === shell.clientId ? { clientId: undefined } : shell, '/ui/clients')}
        />
      </Confirm>
    </section>
  )
}
