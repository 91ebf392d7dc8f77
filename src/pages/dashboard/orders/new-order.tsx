import { client as clientShape } from '../../../control/shapes/client.ts'
import { pageOf } from '../../../control/shapes/page.ts'
import { scenarioSummary } from '../../../control/shapes/scenario.ts'
import { orderKinds } from '../../../domain/order.ts'
import { Act, type Field } from '../form.tsx'
import type { Asked, Shell } from '../view.ts'

interface Choices {
  readonly scenarios: readonly string[]
  readonly clients: readonly string[]
}

/** Reads what there is to choose from. */
export async function readNewOrder({ api, shell: { clientId } }: Asked): Promise<Choices> {
  const [scenarios, clients] = await Promise.all([
    api.get('/scenarios', pageOf(scenarioSummary), { limit: '1000' }),
    clientId === undefined ? api.get('/clients', pageOf(clientShape), { limit: '100' }) : null,
  ])
  return {
    scenarios: scenarios.items.map(({ id }) => id),
    clients: clients === null ? [clientId ?? ''] : clients.items.map((client) => client.clientId),
  }
}

/** A form for an order of any kind, folded away. */
export function NewOrder({ shell, scenarios, clients }: Choices & { shell: Shell }) {
  const [first] = clients
  if (first === undefined) return null
  return (
    <details class="card new-order" id="new-order">
      <summary>New order</summary>
      <Act
        shell={shell}
        id="new-order-form"
        action={{
          method: 'POST',
          path: '/orders',
          ...(clients.length === 1 ? { body: { clientId: first } } : {}),
        }}
        label="Create the order"
        look="primary"
        fields={[
          ...(clients.length === 1 ? [] : [clientField(clients)]),
          { type: 'text', name: 'kind', label: 'Kind', options: orderKinds, value: 'checkout' },
          {
            type: 'text',
            name: 'scenario',
            label: 'Scenario',
            options: [{ value: '', label: 'chosen by the usual rules' }, ...scenarios],
          },
          { type: 'text', name: 'fiatAmount', label: 'Amount', placeholder: '10.00' },
          { type: 'text', name: 'email', label: 'E-mail', placeholder: 'payer@example.com' },
        ]}
      />
    </details>
  )
}

const clientField = (clients: readonly string[]): Field => ({
  type: 'text',
  name: 'clientId',
  label: 'Client',
  value: clients[0],
  suggestions: clients,
  required: true,
})
