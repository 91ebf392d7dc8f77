import { Confirm } from '../confirm.tsx'
import { Act } from '../form.tsx'
import { linkTo, type Shell } from '../view.ts'
import type { ShownClient } from './clients-page.tsx'

/** Saving a client’s world, emptying it, and the client’s end. */
export function ClientEnd({ client: { clientId }, shell }: { client: ShownClient; shell: Shell }) {
  return (
    <section aria-labelledby="world">
      <h2 id="world">Its world</h2>
      <p>
        <a
          href={`/_emulator/snapshot?clientId=${encodeURIComponent(clientId)}`}
          download={`${clientId}.json`}
        >
          Save it as a snapshot
        </a>{' '}
        before you break something on purpose; <a href={linkTo({ clientId }, '/ui/world')}>restore it</a>{' '}
        later.
      </p>
      <Confirm id="confirm-reset" label="Empty its world…">
        <p>
          Its orders, webhooks, faults and requests go. The client stays, with its credentials, settings and
          clock.
        </p>
        <Act
          shell={shell}
          id="reset-client"
          action={{ method: 'POST', path: '/reset', query: { clientId }, body: { keep: ['clients'] } }}
          label={`Empty the world of ${clientId}`}
          look="danger"
        />
      </Confirm>
      <Confirm id="confirm-delete" label="Delete the client…">
        <p>The client goes, and all that belongs to it. An application that uses it gets 401 from then on.</p>
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
