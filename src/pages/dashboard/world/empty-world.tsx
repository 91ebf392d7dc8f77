import { Confirm } from '../confirm.tsx'
import { Act } from '../form.tsx'
import type { Shell } from '../view.ts'

/** Takes away what a client has done, and leaves the client. */
export function EmptyWorld({ clientId, shell }: { clientId: string; shell: Shell }) {
  return (
    <Confirm id="confirm-reset" label={`Delete the data of ${clientId}…`}>
      <p>
        This deletes its orders, webhooks, faults and requests. The client stays, with its credentials,
        settings and clock.
      </p>
      <Act
        shell={shell}
        id="reset-world"
        action={{ method: 'POST', path: '/reset', query: { clientId }, body: { keep: ['clients'] } }}
        label={`Delete the data of ${clientId}`}
        look="danger"
      />
    </Confirm>
  )
}
