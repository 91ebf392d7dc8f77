import type { Child } from 'hono/jsx'
import { isTerminal } from '../../../domain/order/statuses.ts'
import { fromNow } from '../../../domain/text/duration.ts'
import { Act } from '../../framework/form.tsx'
import { Confirm } from '../../framework/parts.tsx'
import { linkTo, orderPath, type Shell } from '../../framework/view.ts'
import type { ShownDelivery, ShownOrder } from './timeline-events.ts'

interface ActionsProps {
  readonly shell: Shell
  readonly order: ShownOrder
  readonly deliveries: readonly ShownDelivery[]
  readonly now: number
  /** The amount of the order that can still be refunded. */
  readonly left: string
  readonly errorCodes: readonly string[]
}

/** The buttons for acts on an order. Impossible acts are shown with the reason. */
export function OrderActions(props: ActionsProps) {
  return (
    <section class="actions" aria-labelledby="actions">
      <h2 id="actions">What you can do</h2>
      <Advance {...props} />
      <Payer {...props} />
      <Refund {...props} />
      <Cancel {...props} />
      <NextOrder {...props} />
    </section>
  )
}

function Advance({ shell, order, deliveries, now }: ActionsProps) {
  const moments = [
    order.nextDueAt,
    ...deliveries.map(({ status, dueAt }) => (status === 'pending' ? dueAt : null)),
  ]
  const due = moments.filter((at) => at !== null && at > now)
  const next = due.length === 0 ? null : Math.min(...due.map(Number))
  if (next === null) return <Idle name="Move time on">Nothing is scheduled for this order.</Idle>
  return (
    <Deed name="Move time on">
      <p class="hint">Everything of its client that is due until then happens too.</p>
      <Act
        shell={shell}
        id="advance"
        action={{
          method: 'POST',
          path: '/clock/advance',
          query: { clientId: order.clientId },
          body: { to: new Date(next).toISOString() },
        }}
        label={`Next event of this order (${fromNow(Math.max(next, now), now)})`}
        look="primary"
      />
    </Deed>
  )
}

function Payer({ shell, order, errorCodes }: ActionsProps) {
  const path = `/orders/${encodeURIComponent(order.orderId)}/pay`
  if (isTerminal(order.orderStatus))
    return <Idle name="Act as the payer">The order is {order.orderStatus}.</Idle>
  if (order.history.some(({ what }) => what === 'paid' || what === 'authorised'))
    return <Idle name="Act as the payer">The payer has paid.</Idle>
  return (
    <Deed name="Act as the payer">
      <div class="deeds">
        <Act
          shell={shell}
          id="pay"
          action={{ method: 'POST', path, body: { outcome: 'completed' } }}
          label="Pay"
        />
        {order.orderStatus === 'ABANDONED' ? null : (
          <Act
            shell={shell}
            id="abandon"
            action={{ method: 'POST', path, body: { outcome: 'abandoned' } }}
            label="Abandon"
          />
        )}
      </div>
      <Act
        shell={shell}
        id="decline"
        action={{ method: 'POST', path, body: { outcome: 'failed' } }}
        label="Decline"
        look="danger"
        fields={[
          {
            type: 'text',
            name: 'errorCode',
            label: 'Error code',
            placeholder: '9004',
            suggestions: errorCodes,
          },
        ]}
      />
    </Deed>
  )
}

function Refund({ shell, order, left, errorCodes }: ActionsProps) {
  if (order.orderStatus !== 'COMPLETED')
    return <Idle name="Refund">Only a COMPLETED order can be refunded.</Idle>
  if (!/[1-9]/.test(left)) return <Idle name="Refund">The full amount has been refunded.</Idle>
  return (
    <Deed name="Refund">
      <Act
        shell={shell}
        id="refund"
        action={{ method: 'POST', path: `/orders/${encodeURIComponent(order.orderId)}/refunds` }}
        label="Refund"
        fields={[
          {
            type: 'text',
            name: 'fiatAmount',
            label: `Amount, up to ${left} ${order.currencyId}`,
            value: left,
          },
          {
            type: 'text',
            name: 'outcome',
            label: 'Outcome',
            options: ['initiated', 'failed'],
            value: 'initiated',
          },
          {
            type: 'text',
            name: 'errorCode',
            label: 'Error code, if it fails',
            placeholder: '9006.1',
            suggestions: errorCodes,
          },
        ]}
      />
    </Deed>
  )
}

function Cancel({ shell, order }: ActionsProps) {
  const { subscription, requestId, clientId } = order
  if (subscription === undefined) return null
  if (subscription.cancelled) return <Idle name="Cancel the subscription">It is cancelled.</Idle>
  return (
    <Deed name="Cancel the subscription">
      <Confirm id="confirm-cancel" label="Cancel the subscription">
        <p>There will be no further charges. This cannot be undone.</p>
        <Act
          shell={shell}
          id="cancel"
          action={{
            method: 'POST',
            path: `/subscriptions/${encodeURIComponent(requestId)}/cancel`,
            query: { clientId },
          }}
          label={`Cancel ${requestId}`}
          look="danger"
        />
      </Confirm>
    </Deed>
  )
}

function NextOrder({ shell, order: { orderId, scenario, clientId } }: ActionsProps) {
  return (
    <Deed name="Do it again">
      <Act
        shell={shell}
        id="use-scenario"
        action={{ method: 'POST', path: '/scenarios/next', body: { scenario: scenario.id, clientId } }}
        label={`Use ${scenario.id} for the next order`}
      />
      <div class="act-row">
        <a class="button" id="keep" href={linkTo(shell, `${orderPath(orderId)}/keep`)}>
          Keep as test
        </a>
      </div>
    </Deed>
  )
}

function Deed({ name, children }: { name: string; children?: Child }) {
  return (
    <div class="deed">
      <h3>{name}</h3>
      {children}
    </div>
  )
}

/** Shows an act that is impossible, with the reason. */
function Idle({ name, children }: { name: string; children?: Child }) {
  return (
    <div class="deed idle">
      <h3>{name}</h3>
      <p class="hint">{children}</p>
    </div>
  )
}
