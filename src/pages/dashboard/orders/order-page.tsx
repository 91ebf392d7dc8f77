import { subtract } from '../../../domain/money.ts'
import { Status } from '../parts.tsx'
import { fromNow } from '../span-words.ts'
import { type DashboardPage, linkTo, type Shell } from '../view.ts'
import { Charges } from './charges.tsx'
import { drawingOf } from './drawing.ts'
import { legsOf } from './legs.ts'
import { OrderActions } from './order-actions.tsx'
import { OrderDeliveries } from './order-deliveries.tsx'
import { About, RawOrder, Refunds } from './order-facts.tsx'
import { readOrder } from './order-sources.ts'
import { type Happening, latestOf, type ShownOrder, storyOf } from './story.ts'
import { StoryTable } from './story-table.tsx'
import { TimeLine } from './time-line.tsx'

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
          <TimeLine drawing={drawingOf(story, legsOf(order), now)} summary={summaryOf(order, whole)} />
        </section>
        <div class="order-columns">
          <div class="order-story">
            <StoryTable story={story} now={now} shell={shell} />
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
      topics: ['order', 'delivery', 'request', 'clock'],
      body,
    }
  },
}

/** What is left out of a story so long that nobody reads it. */
function Untold({ count, order, shell }: { count: number; order: ShownOrder; shell: Shell }) {
  return (
    <p class="hint">
      {count.toLocaleString('en')} more events are not shown.{' '}
      <a href={linkTo(shell, `/orders/${encodeURIComponent(order.orderId)}`)}>The whole order, as JSON</a>
    </p>
  )
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
          ? 'Nothing more is scheduled.'
          : `Next: ${[next.words, next.at === null ? next.more : fromNow(next.at, now)].filter(Boolean).join(', ')}.`}
      </p>
    </div>
  )
}

/** What the drawing shows, in a sentence. */
function summaryOf({ orderStatus }: ShownOrder, story: readonly Happening[]): string {
  const done = story.filter((happening) => happening.done).length
  return `The order is ${orderStatus}. ${done} events have happened, ${story.length - done} are scheduled. The table below lists all of them.`
}
