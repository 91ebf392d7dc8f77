import { subtract } from '../../../domain/money.ts'
import { Act } from '../form.tsx'
import { LongText } from '../long-text.tsx'
import { Empty, Facts, Moment, Status } from '../parts.tsx'
import { fromNow } from '../span-words.ts'
import { type DashboardPage, linkTo, type Shell } from '../view.ts'
import { drawingOf } from './drawing.ts'
import { legsOf } from './legs.ts'
import { OrderActions } from './order-actions.tsx'
import { type OrderSources, readOrder } from './order-sources.ts'
import { type Happening, type ShownDelivery, type ShownOrder, storyOf } from './story.ts'
import { StoryTable } from './story-table.tsx'
import { TimeLine } from './time-line.tsx'

/** `/_emulator/ui/orders/{orderId}`: everything about one order. */
export const orderPage: DashboardPage = {
  path: '/ui/orders/:orderId',
  show: async ({ api, shell, param }) => {
    const sources = await readOrder(api, param('orderId'), shell.clientId)
    const { order, client, deliveries, family, now, errorCodes } = sources
    const story = storyOf(sources)
    const left = order.refunds.reduce((rest, { fiatAmount }) => subtract(rest, fiatAmount), order.fiatAmount)
    const body = (
      <>
        <Head order={order} story={story} now={now} />
        <section class="card story-card" aria-labelledby="story">
          <h2 id="story">Time line</h2>
          <TimeLine drawing={drawingOf(story, legsOf(order), now)} summary={summaryOf(order, story)} />
        </section>
        <div class="order-columns">
          <div class="order-facts">
            <StoryTable story={story} now={now} shell={shell} />
            <About order={order} shell={shell} />
            <Family order={order} family={family} shell={shell} />
            <Deliveries deliveries={deliveries} client={client} shell={shell} />
            <Refunds order={order} />
            <Raw order={order} shell={shell} />
          </div>
          <OrderActions {...{ shell, order, deliveries, now, left }} errorCodes={errorCodes} />
        </div>
      </>
    )
    return {
      title: `Order ${order.requestId}`,
      topics: ['order', 'delivery', 'request', 'clock'],
      body,
    }
  },
}

function Head({ order, story, now }: { order: ShownOrder; story: readonly Happening[]; now: number }) {
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
          ? 'Nothing more is to come by itself.'
          : `Next: ${next.words}${next.at === null ? (next.more === undefined ? '' : `, ${next.more}`) : `, ${fromNow(next.at, now)}`}.`}
      </p>
    </div>
  )
}

/** What the drawing shows, in a sentence. */
function summaryOf({ orderStatus }: ShownOrder, story: readonly Happening[]): string {
  const done = story.filter((happening) => happening.done).length
  return `The order is ${orderStatus}. ${done} things have happened, ${story.length - done} are to come. The table below tells all of them.`
}

function About({ order, shell }: { order: ShownOrder; shell: Shell }) {
  const { scenario, clientId, token } = order
  const scenarioPath = `/ui/scenarios/${encodeURIComponent(scenario.id)}`
  const explained = { kind: order.kind, amount: order.fiatAmount }
  return (
    <section aria-labelledby="about">
      <h2 id="about">About it</h2>
      <Facts
        rows={[
          ['orderId', <code>{order.orderId}</code>],
          ['requestId', <code>{order.requestId}</code>],
          ['Client', <a href={linkTo(shell, `/ui/clients/${encodeURIComponent(clientId)}`)}>{clientId}</a>],
          ['E-mail', <a href={linkTo(shell, '/', { search: order.email })}>{order.email}</a>],
          ['paymentStatus', <Status of={order.paymentStatus} />],
          ['settlementStatus', <Status of={order.settlementStatus} />],
          [
            'Scenario',
            <>
              <a href={linkTo(shell, scenarioPath, explained)}>{scenario.id}</a>{' '}
              <span class="faint">because of: {scenario.why}</span>
            </>,
          ],
          ['Created', <Moment at={order.createdAt} />],
          ['Updated', <Moment at={order.updatedAt} />],
          ['Expires', <Moment at={order.expiresAt} />],
          ['receivedAmount', order.receivedAmount ?? <span class="faint">–</span>],
          ['txnHash', order.txnHash === null ? <span class="faint">–</span> : <code>{order.txnHash}</code>],
          [
            'Payment page',
            <a href={`/pay/${encodeURIComponent(token)}`}>
              <code>/pay/{token}</code>
            </a>,
          ],
          [
            'Requests about it',
            <a href={linkTo(shell, '/ui/requests', { requestId: order.requestId })}>in the journal</a>,
          ],
        ]}
      />
    </section>
  )
}

function Family({
  order,
  family,
  shell,
}: {
  order: ShownOrder
  family: readonly ShownOrder[]
  shell: Shell
}) {
  const { subscription } = family.find(({ charge }) => charge === 1) ?? order
  if (order.kind !== 'subscription') return null
  return (
    <section aria-labelledby="charges">
      <h2 id="charges">Charges of this subscription</h2>
      <p>
        {subscription === undefined
          ? ''
          : subscription.cancelled
            ? 'It is cancelled.'
            : subscription.nextAt === null
              ? subscription.anchor === null
                ? 'The payer has not authorised it yet.'
                : 'No further charge comes.'
              : `Charge ${subscription.next} comes next, at `}
        {subscription === undefined || subscription.nextAt === null ? null : (
          <>
            <Moment at={subscription.nextAt} />.
          </>
        )}
      </p>
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
            <tr id={`charge-${one.orderId}`}>
              <td data-label="Charge">
                {one.orderId === order.orderId ? (
                  <>{one.charge} (this)</>
                ) : (
                  <a href={linkTo(shell, `/ui/orders/${one.orderId}`)}>{one.charge}</a>
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
    </section>
  )
}

/** Why nothing can be sent again; null if it can. */
function whyNot({ webhookUrl, webhookPaused }: OrderSources['client']): string | null {
  if (webhookUrl === null) return 'No webhook URL is registered, so nothing can be sent again.'
  return webhookPaused ? 'The endpoint has answered 410: nothing is sent until its URL is set again.' : null
}

function Deliveries({
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
          {why} <a href={linkTo(shell, `/ui/clients/${encodeURIComponent(client.clientId)}`)}>Set the URL</a>
        </p>
      )}
      {deliveries.length === 0 ? (
        <Empty title="None yet">
          <p>Each change that your application is told of makes one.</p>
        </Empty>
      ) : (
        <table class="list">
          <thead>
            <tr>
              <th scope="col">Tells</th>
              <th scope="col">State</th>
              <th scope="col">Attempts</th>
              <th scope="col">
                <span class="unseen">Again</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {deliveries.map(({ id, clientId, orderStatus, status, attempts }) => (
              <tr id={`delivery-${id}`}>
                <td data-label="Tells">
                  <a href={linkTo(shell, `/ui/deliveries/${id}`)}>{orderStatus}</a>
                </td>
                <td data-label="State">
                  <Status of={status} />
                </td>
                <td data-label="Attempts">
                  {attempts.length === 0
                    ? '0'
                    : `${attempts.length}, the last ${attempts.at(-1)?.outcome ?? ''}`}
                </td>
                <td data-label="Again">
                  {why !== null ? null : (
                    <Act
                      shell={shell}
                      id={`resend-${id}`}
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

function Refunds({ order: { refunds, refundError, currencyId } }: { order: ShownOrder }) {
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

function Raw({ order, shell }: { order: ShownOrder; shell: Shell }) {
  const whole = linkTo(shell, `/orders/${order.orderId}`)
  return (
    <section aria-labelledby="raw">
      <h2 id="raw">As your tests read it</h2>
      {Object.keys(order.metadata).length === 0 ? null : (
        <details id="metadata" open>
          <summary>metadata</summary>
          <LongText id="metadata-text" text={JSON.stringify(order.metadata, null, 2)} whole={whole} />
        </details>
      )}
      <details id="json">
        <summary>
          <code>GET /_emulator/orders/{order.orderId}</code>
        </summary>
        <LongText id="json-text" text={JSON.stringify(order, null, 2)} whole={whole} />
      </details>
    </section>
  )
}
