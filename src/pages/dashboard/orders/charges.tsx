import { Moment, Status } from '../parts.tsx'
import { orderPath } from '../paths.ts'
import { linkTo, type Shell } from '../view.ts'
import type { OrderSources } from './order-sources.ts'
import type { ShownOrder } from './story.ts'

/** The orders of one subscription, and when the next comes. */
export function Charges({
  sources: { order, first, family, hasMore },
  shell,
}: {
  sources: OrderSources
  shell: Shell
}) {
  if (order.kind !== 'subscription') return null
  return (
    <section aria-labelledby="charges">
      <h2 id="charges">Charges of this subscription</h2>
      <p>{nextWords(first.subscription)}</p>
      <table class="list">
        <thead>
          <tr>
            <th scope="col">Charge</th>
            <th scope="col">Status</th>
            <th scope="col">Created</th>
            <th scope="col">orderId</th>
          </tr>
        </thead>
        <tbody>
          {family.map((one) => (
            <tr id={`charge-${encodeURIComponent(one.orderId)}`}>
              <td data-label="Charge">
                {one.orderId === order.orderId ? (
                  <>{one.charge} (this)</>
                ) : (
                  <a href={linkTo(shell, orderPath(one.orderId))}>{one.charge}</a>
                )}
              </td>
              <td data-label="Status">
                <Status of={one.orderStatus} />
              </td>
              <td data-label="Created">
                <Moment at={one.createdAt} />
              </td>
              <td data-label="orderId">
                <code>{one.orderId}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {hasMore ? (
        <p>
          These are the latest.{' '}
          <a href={linkTo(shell, '/', { kind: 'subscription', search: order.requestId })}>All of them</a>
        </p>
      ) : null}
    </section>
  )
}

function nextWords(subscription: ShownOrder['subscription']) {
  if (subscription === undefined) return null
  const { cancelled, anchor, next, nextAt } = subscription
  if (cancelled) return 'It is cancelled.'
  if (anchor === null) return 'The payer has not authorised it yet.'
  if (nextAt === null) return 'There are no further charges.'
  return (
    <>
      Charge {next} comes next, at <Moment at={nextAt} />.
    </>
  )
}
