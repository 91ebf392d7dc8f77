import type { Child } from 'hono/jsx'
import { isTerminal } from '../../../domain/order/statuses.ts'
import { memberText } from '../../../domain/text/json-text.ts'
import { JsonText } from '../../framework/long-text.tsx'
import { Facts, Moment, Status } from '../../framework/parts.tsx'
import { clientPath, linkTo, type Shell, scenarioPath } from '../../framework/view.ts'
import type { ShownOrder } from './timeline-events.ts'

const words: Readonly<Record<string, string>> = {
  next: 'it was planned for the next order',
  default: 'it is the client’s default',
  fixture: 'its fixture sets it',
  'control API': 'the call that created the order named it',
  'e-mail tag': 'the e-mail tag names it',
  amount: 'the amount selects it',
}

/** Describes why an order has its scenario.
 *  @param why the reason in the control API */
export const whyWords = (why: string): string => `because ${words[why] ?? `${why} names it`}`

/** The list of an order's facts. */
export function About({ order, shell }: { order: ShownOrder; shell: Shell }) {
  const { scenario, clientId, token } = order
  const explained = { kind: order.kind, amount: order.fiatAmount }
  return (
    <section aria-labelledby="about">
      <h2 id="about">Details</h2>
      <Facts
        rows={[
          ['orderId', <code>{order.orderId}</code>],
          ['requestId', <code>{order.requestId}</code>],
          ['Client', <a href={linkTo(shell, clientPath(clientId))}>{clientId}</a>],
          ['E-mail', <a href={linkTo(shell, '/ui/orders', { search: order.email })}>{order.email}</a>],
          ['paymentStatus', <Status of={order.paymentStatus} />],
          ['settlementStatus', <Status of={order.settlementStatus} />],
          [
            'Scenario',
            <>
              <a href={linkTo(shell, scenarioPath(scenario.id), explained)}>{scenario.id}</a>{' '}
              <span class="faint">{whyWords(scenario.why)}</span>
            </>,
          ],
          ['Created', <Moment at={order.createdAt} />],
          ['Updated', <Moment at={order.updatedAt} />],
          ['Expires', <Moment at={order.expiresAt} />],
          ['receivedAmount', order.receivedAmount ?? <span class="faint">–</span>],
          ['txnHash', order.txnHash === null ? <span class="faint">–</span> : <code>{order.txnHash}</code>],
          ...(hasPayer(order) ? [paymentPage(token, isOpen(order))] : []),
          [
            'Related requests',
            <a href={linkTo(shell, '/ui/requests', { requestId: order.requestId })}>in the request log</a>,
          ],
        ]}
      />
    </section>
  )
}

/** Payouts and crypto payins have no payer on a page. */
const hasPayer = ({ kind }: ShownOrder): boolean => kind === 'checkout' || kind === 'subscription'

/** Whether the order can still be paid. */
const isOpen = ({ orderStatus, history }: ShownOrder): boolean =>
  !isTerminal(orderStatus) && !history.some(({ what }) => what === 'paid' || what === 'authorised')

const paymentPage = (token: string, open: boolean): [string, Child] => [
  'Payment page',
  <>
    <a href={`/pay/${encodeURIComponent(token)}`}>
      <code>/pay/{token}</code>
    </a>{' '}
    {open ? <span class="faint">opening it makes the order wait for the payer</span> : null}
  </>,
]

/** The refunds of an order, and the error of the latest failed one. */
export function Refunds({ order: { refunds, refundError, currencyId } }: { order: ShownOrder }) {
  if (refunds.length === 0) return null
  return (
    <section aria-labelledby="refunds">
      <h2 id="refunds">Refunds</h2>
      <table class="list">
        <thead>
          <tr>
            <th scope="col">Amount</th>
            <th scope="col">Status</th>
            <th scope="col">At</th>
            <th scope="col">refundId</th>
          </tr>
        </thead>
        <tbody>
          {refunds.map(({ refundId, fiatAmount, status, at }) => (
            <tr id={`refund-${refundId}`}>
              <td data-label="Amount" class="number">
                {fiatAmount} {currencyId}
              </td>
              <td data-label="Status">
                <Status of={status} />
              </td>
              <td data-label="At">
                <Moment at={at} />
              </td>
              <td data-label="refundId">
                <code>{refundId}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {refundError === undefined ? null : (
        <p class="wrong">
          The latest that failed: {refundError.errorCode}: {refundError.errorDesc}
        </p>
      )}
    </section>
  )
}

/** An order as the control API shows it, whose `metadata` is the text that came in (N69). */
export function RawOrder({ order, text, shell }: { order: ShownOrder; text: string; shell: Shell }) {
  const whole = linkTo(shell, `/orders/${encodeURIComponent(order.orderId)}`)
  return (
    <section aria-labelledby="raw">
      <h2 id="raw">As JSON</h2>
      {Object.keys(order.metadata).length === 0 ? null : (
        <details id="metadata" open>
          <summary>metadata</summary>
          <JsonText id="metadata-text" text={memberText(text, 'metadata') ?? ''} whole={whole} />
        </details>
      )}
      <details id="json">
        <summary>
          <code>GET /_emulator/orders/{encodeURIComponent(order.orderId)}</code>
        </summary>
        <JsonText id="json-text" text={text} whole={whole} />
      </details>
    </section>
  )
}
