import { fromNow } from '../../../domain/text/duration.ts'
import { subtract } from '../../../domain/text/money.ts'
import { overrideOf } from '../../../domain/webhook/faults/attempt-faults.ts'
import { Act } from '../../framework/form.tsx'
import { Empty, Moment, Status } from '../../framework/parts.tsx'
import {
  clientPath,
  type DashboardPage,
  deliveryPath,
  linkTo,
  orderPath,
  type Shell,
} from '../../framework/view.ts'
import { Overridden } from '../deliveries/attempts.tsx'
import { pauseWords } from '../deliveries/next-try.ts'
import { OrderActions } from './order-actions.tsx'
import { About, RawOrder, Refunds } from './order-facts.tsx'
import { type OrderSources, readOrder } from './order-sources.ts'
import { SequenceView } from './sequence.tsx'
import { TimeLine, TimelineTable } from './timeline.tsx'
import { drawingOf, legsOf } from './timeline-drawing.ts'
import {
  latestOf,
  type ShownDelivery,
  type ShownOrder,
  storyOf,
  type TimelineEvent,
} from './timeline-events.ts'

/** `/_emulator/ui/orders/{orderId}`: everything about one order. */
export const orderPage: DashboardPage = {
  path: '/ui/orders/:orderId',
  show: async ({ api, shell, param }) => {
    const sources = await readOrder(api, param('orderId'), shell.clientId)
    const { order, client, deliveries, now, errorCodes } = sources
    const whole = storyOf(sources)
    const { story, left: untold } = latestOf(whole)
    const left = order.refunds.reduce((rest, { fiatAmount }) => subtract(rest, fiatAmount), order.fiatAmount)
    const body = (
      <>
        <Head order={order} story={story} now={now} />
        <section class="card story-card" aria-labelledby="story">
          <h2 id="story">Time line</h2>
          <TimeLine
            drawing={drawingOf(story, legsOf(order), now)}
            summary={summaryOf(order, whole)}
            now={now}
            shell={shell}
          />
        </section>
        <div class="order-columns">
          <div class="order-story">
            <SequenceView sequence={sources.sequence} orderId={order.orderId} shell={shell} />
            <TimelineTable story={story} now={now} shell={shell} />
            {untold === 0 ? null : <Untold count={untold} order={order} shell={shell} />}
          </div>
          <OrderActions {...{ shell, order, deliveries, now, left }} errorCodes={errorCodes} />
          <div class="order-facts">
            <About order={order} shell={shell} />
            <Charges sources={sources} shell={shell} />
            <OrderDeliveries deliveries={deliveries} client={client} shell={shell} />
            <Refunds order={order} />
            <RawOrder order={order} text={sources.text} shell={shell} />
          </div>
        </div>
      </>
    )
    return {
      title: `Order ${order.requestId}`,
      isLive: true,
      body,
    }
  },
}

/** The number of events left out of a long time line. */
function Untold({ count, order, shell }: { count: number; order: ShownOrder; shell: Shell }) {
  return (
    <p class="hint">
      {count.toLocaleString('en')} more events are not shown.{' '}
      <a href={linkTo(shell, `/orders/${encodeURIComponent(order.orderId)}`)}>The whole order, as JSON</a>
    </p>
  )
}

function Head({ order, story, now }: { order: ShownOrder; story: readonly TimelineEvent[]; now: number }) {
  const next = story.find(({ done }) => !done)
  const { errorReason } = order
  return (
    <div class="order-head">
      <p>
        <Status of={order.orderStatus} />{' '}
        <strong class="number">
          {order.fiatAmount} {order.currencyId}
        </strong>{' '}
        {order.kind}
        {order.kind === 'subscription' ? `, charge ${order.charge}` : ''}
      </p>
      {errorReason === null ? null : (
        <p class="wrong">
          {errorReason.errorCode}: {errorReason.errorDesc}
        </p>
      )}
      <p class="faint">
        {next === undefined
          ? 'Nothing more is scheduled.'
          : `Next: ${[next.words, next.at === null ? next.more : fromNow(next.at, now)].filter(Boolean).join(', ')}.`}
      </p>
    </div>
  )
}

/** Describes the timeline drawing in a sentence, for screen readers. */
function summaryOf({ orderStatus }: ShownOrder, story: readonly TimelineEvent[]): string {
  const done = story.filter((event) => event.done).length
  return `The order is ${orderStatus}. ${done} events have happened, ${story.length - done} are scheduled. The table below lists all of them.`
}

/** The orders of one subscription, and its next charge. */
function Charges({
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
          <a href={linkTo(shell, '/ui/orders', { kind: 'subscription', search: order.requestId })}>
            All of them
          </a>
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

/** The reason why nothing can be sent again; null if it can. */
function whyNot(client: OrderSources['client']): string | null {
  if (client.webhookUrl === null) return 'No webhook URL is registered, so nothing can be sent again.'
  const paused = pauseWords(client)
  return paused === null ? null : `${paused}: nothing is sent until its URL is set again.`
}

/** The webhooks of an order, each with a button that sends it again. */
function OrderDeliveries({
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
