import { overrideOf } from '../../../domain/attempt-faults.ts'
import { Overridden } from '../deliveries/attempts.tsx'
import { Act } from '../form.tsx'
import { Empty, Status } from '../parts.tsx'
import { clientPath, deliveryPath } from '../paths.ts'
import { linkTo, type Shell } from '../view.ts'
import type { OrderSources } from './order-sources.ts'
import type { ShownDelivery } from './story.ts'

/** Why nothing can be sent again; null if it can. */
function whyNot({ webhookUrl, webhookPaused }: OrderSources['client']): string | null {
  if (webhookUrl === null) return 'No webhook URL is registered, so nothing can be sent again.'
  return webhookPaused ? 'The endpoint has answered 410: nothing is sent until its URL is set again.' : null
}

/** The webhooks of an order, each to be sent again. */
export function OrderDeliveries({
  deliveries,
  client,
  shell,
}: {
  deliveries: readonly ShownDelivery[]
  client: OrderSources['client']
  shell: Shell
}) {
  const why = whyNot(client)
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries">Webhooks</h2>
      {why === null || deliveries.length === 0 ? null : (
        <p class="hint">
          {why} <a href={linkTo(shell, clientPath(client.clientId))}>Set the URL</a>
        </p>
      )}
      {deliveries.length === 0 ? (
        <Empty title="None yet">
          <p>Each reported change of an order sends one.</p>
        </Empty>
      ) : (
        <table class="list">
          <thead>
            <tr>
              <th scope="col">Event</th>
              <th scope="col">State</th>
              <th scope="col">Attempts</th>
              <th scope="col">
                <span class="unseen">Again</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {deliveries.map(({ id, clientId, orderStatus, status, attempts, plan }) => (
              <tr id={`delivery-${encodeURIComponent(id)}`}>
                <td data-label="Event">
                  <a href={linkTo(shell, deliveryPath(id))}>{orderStatus}</a>
                </td>
                <td data-label="State">
                  <Status of={status} />
                </td>
                <td data-label="Attempts">
                  <Attempts attempts={attempts} plan={plan} />
                </td>
                <td data-label="Again">
                  {why !== null ? null : (
                    <Act
                      shell={shell}
                      id={`resend-${encodeURIComponent(id)}`}
                      action={{
                        method: 'POST',
                        path: `/deliveries/${encodeURIComponent(id)}/resend`,
                        query: { clientId },
                      }}
                      label="Resend"
                    />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function Attempts({ attempts, plan }: Pick<ShownDelivery, 'attempts' | 'plan'>) {
  const last = attempts.at(-1)
  if (last === undefined) return <>0</>
  const override = overrideOf(plan, last)
  return (
    <>
      {attempts.length}, the last {override === null ? last.outcome : <Overridden words={override} />}
    </>
  )
}
