import { Moment, Status } from '../parts.tsx'
import { orderPath } from '../paths.ts'
import { linkTo, type Shell } from '../view.ts'
import type { ShownOrder } from './story.ts'
import { whyWords } from './why-words.ts'

/** Orders as a table, or as cards on a phone. */
export function OrderRows({ shell, orders }: { shell: Shell; orders: readonly ShownOrder[] }) {
  return (
    <table class="list orders">
      <caption class="unseen">Orders, newest first</caption>
      <thead>
        <tr>
          <th scope="col">Created</th>
          <th scope="col">Order</th>
          <th scope="col">Status</th>
          <th scope="col" class="amount">
            Amount
          </th>
          <th scope="col">Scenario</th>
          <th scope="col">Payer</th>
          <th scope="col">Next</th>
        </tr>
      </thead>
      <tbody>
        {orders.map((order) => (
          <OrderRow shell={shell} order={order} />
        ))}
      </tbody>
    </table>
  )
}

function OrderRow({ shell, order }: { shell: Shell; order: ShownOrder }) {
  const { orderId, requestId, clientId, errorReason } = order
  const next = order.timeline.find(({ doneAt }) => doneAt === null)
  return (
    <tr id={`order-${encodeURIComponent(orderId)}`}>
      <td data-label="Created">
        <Moment at={order.createdAt} />
      </td>
      <td data-label="Order">
        <div>
          <a class="id" title={requestId} href={linkTo(shell, orderPath(orderId))}>
            {requestId}
          </a>
          <span class="under">
            {order.kind}
            {order.kind === 'subscription' ? `, charge ${order.charge}` : ''}
          </span>
        </div>
      </td>
      <td data-label="Status">
        <div>
          <Status of={order.orderStatus} />
          {errorReason === null ? null : (
            <span class="under" title={errorReason.errorDesc}>
              {errorReason.errorCode}
            </span>
          )}
        </div>
      </td>
      <td data-label="Amount" class="amount">
        <div class="number">
          {order.fiatAmount} <span class="faint">{order.currencyId}</span>
        </div>
      </td>
      <td data-label="Scenario">
        <a href={linkTo(shell, '/', { scenario: order.scenario.id })} title={whyWords(order.scenario.why)}>
          {order.scenario.id}
        </a>
      </td>
      <td data-label="Payer">
        <div>
          <span class="id" title={order.email}>
            {order.email}
          </span>
          <span class="under id" title={clientId}>
            {clientId}
          </span>
        </div>
      </td>
      <td data-label="Next">
        {next === undefined ? (
          <span class="none faint">–</span>
        ) : (
          <div>
            {next.what}
            <span class="under">
              {order.waitsForPayer ? 'waits for the payer' : <Moment at={next.dueAt} />}
            </span>
          </div>
        )}
      </td>
    </tr>
  )
}
