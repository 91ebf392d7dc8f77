import { Act } from '../../framework/form.tsx'
import { Confirm } from '../../framework/parts.tsx'
import type { Shell } from '../../framework/view.ts'

/** Forms that reset everything, or one client. */
export function Reset({ shell }: { shell: Shell }) {
  const { clientId } = shell
  return (
    <section aria-labelledby="reset">
      <h2 id="reset">Back to the start</h2>
      {clientId === undefined ? (
        <Confirm id="confirm-reset" label="Reset…">
          <ResetAll shell={shell} />
        </Confirm>
      ) : (
        <EmptyWorld clientId={clientId} shell={shell} />
      )}
    </section>
  )
}

function ResetAll({ shell }: { shell: Shell }) {
  return (
    <>
      <p>
        This deletes all orders, webhooks, faults, requests and global settings. Choose what to keep;
        everything else is deleted. The clients of the start are created again.
      </p>
      <Act
        shell={shell}
        id="reset-world"
        action={{ method: 'POST', path: '/reset' }}
        label="Reset"
        look="danger"
        fields={[
          {
            type: 'list',
            name: 'keep',
            label: 'Keep',
            value: 'clients,scenarios',
            options: [
              { value: 'clients,scenarios', label: 'clients and added scenarios' },
              { value: 'clients', label: 'clients' },
              { value: 'scenarios', label: 'added scenarios' },
              { value: '', label: 'nothing' },
            ],
          },
        ]}
      />
    </>
  )
}

/** The form that removes a client's data, and keeps the client. */
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
