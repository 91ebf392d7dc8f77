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

interface CellProps {
  readonly shell: Shell
  readonly order: ShownOrder
}

function OrderRow({ shell, order }: CellProps) {
  return (
    <tr id={`order-${encodeURIComponent(order.orderId)}`}>
      <td data-label="Created">
        <Moment at={order.createdAt} />
      </td>
      <td data-label="Order">
        <Name shell={shell} order={order} />
      </td>
      <td data-label="Status">
        <Stands order={order} />
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
        <Payer order={order} />
      </td>
      <td data-label="Next">
        <Next order={order} />
      </td>
    </tr>
  )
}

function Name({ shell, order: { orderId, requestId, kind, charge } }: CellProps) {
  return (
    <div>
      <a class="id" title={requestId} href={linkTo(shell, orderPath(orderId))}>
        {requestId}
      </a>
      <span class="under">
        {kind}
        {kind === 'subscription' ? `, charge ${charge}` : ''}
      </span>
    </div>
  )
}

type OrderOnly = Pick<CellProps, 'order'>

function Stands({ order: { orderStatus, errorReason } }: OrderOnly) {
  return (
    <div>
      <Status of={orderStatus} />
      {errorReason === null ? null : (
        <span class="under" title={errorReason.errorDesc}>
          {errorReason.errorCode}
        </span>
      )}
    </div>
  )
}

function Payer({ order: { email, clientId } }: OrderOnly) {
  return (
    <div>
      <span class="id" title={email}>
        {email}
      </span>
      <span class="under id" title={clientId}>
        {clientId}
      </span>
    </div>
  )
}

function Next({ order: { timeline, waitsForPayer } }: OrderOnly) {
  const next = timeline.find(({ doneAt }) => doneAt === null)
  if (next === undefined) return <span class="none faint">–</span>
  return (
    <div>
      {next.what}
      <span class="under">{waitsForPayer ? 'waits for the payer' : <Moment at={next.dueAt} />}</span>
    </div>
  )
}
