import { orderStatuses } from '../../../domain/statuses.ts'
import { Confirm } from '../confirm.tsx'
import { Act } from '../form.tsx'
import type { Shell } from '../view.ts'

/** Keeps webhooks back, all or those that match, and lets them go. */
export function HoldTools({ shell }: { shell: Shell }) {
  const query = { clientId: shell.clientId }
  const whose = shell.clientId ?? 'all clients'
  return (
    <details class="fold" id="hold">
      <summary>Hold and release</summary>
      <div class="card">
        <p class="hint">
          A hold delays webhooks, both due and future ones, while orders and time go on. It applies to {whose}
          .
        </p>
        <Act
          shell={shell}
          id="hold-form"
          action={{ method: 'POST', path: '/deliveries/hold', query, body: { where: {} } }}
          label="Hold these webhooks"
          fields={[
            {
              ...{ type: 'text', name: 'where.orderStatus', label: 'Event', placeholder: 'every event' },
              suggestions: orderStatuses,
            },
            {
              ...{
                type: 'text',
                name: 'where.requestId',
                label: 'requestId',
                placeholder: 'every requestId',
              },
              hint: 'May end in *.',
            },
            { type: 'text', name: 'where.orderId', label: 'orderId', placeholder: 'every order' },
            {
              ...{ type: 'text', name: 'where.orderType', label: 'orderType', placeholder: 'every type' },
              suggestions: ['CHECKOUT', 'SUBSCRIPTION'],
            },
            { type: 'text', name: 'where.eventType', label: 'Event type', placeholder: 'every event type' },
          ]}
        />
        <Confirm id="confirm-release" label={`End all holds of ${whose}…`}>
          <p>Held webhooks are sent immediately. This cannot be undone.</p>
          <Act
            shell={shell}
            id="release-all"
            action={{ method: 'POST', path: '/deliveries/release', query }}
            label={`End all holds of ${whose}`}
            look="danger"
          />
        </Confirm>
      </div>
    </details>
  )
}
