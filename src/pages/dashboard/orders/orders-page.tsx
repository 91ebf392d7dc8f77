import { client as clientShape } from '../../../control/shapes/client.ts'
import { pageOf } from '../../../control/shapes/common.ts'
import { order as orderShape } from '../../../control/shapes/order.ts'
import { scenarioSummary } from '../../../control/shapes/scenario.ts'
import { orderKinds } from '../../../domain/order/order.ts'
import { orderStatuses } from '../../../domain/order/statuses.ts'
import { fromNow } from '../../../domain/text/duration.ts'
import { orRefusal } from '../../framework/control-api.ts'
import { Filters } from '../../framework/filters.tsx'
import { Act, type Field } from '../../framework/form.tsx'
import { Empty, Moment, Paging, Status } from '../../framework/parts.tsx'
import { type Asked, type DashboardPage, linkTo, orderPath, type Shell } from '../../framework/view.ts'
import { FirstSteps, readFirstSteps } from './first-steps.tsx'
import { whyWords } from './order-facts.tsx'
import { SmallTimeLine } from './timeline.tsx'
import { legsOf, smallDrawingOf } from './timeline-drawing.ts'
import { outlineOf, type ShownOrder } from './timeline-events.ts'

interface Choices {
  readonly scenarios: readonly string[]
  readonly clients: readonly string[]
  /** The present time of each client that is known without a further call. */
  readonly nows: ReadonlyMap<string, number>
}

/** Reads the options of the form. */
async function readNewOrder({ api, shell: { clientId, clocksInSight } }: Asked): Promise<Choices> {
  const [scenarios, clients] = await Promise.all([
    api.get('/scenarios', pageOf(scenarioSummary), { limit: '1000' }),
    clientId === undefined ? api.get('/clients', pageOf(clientShape), { limit: '100' }) : null,
  ])
  return {
    scenarios: scenarios.items.map(({ id }) => id),
    clients: clients === null ? [clientId ?? ''] : clients.items.map((client) => client.clientId),
    nows: new Map([
      ...clocksInSight.clocks.map((clock) => [clock.clientId, clock.now] as const),
      ...(clients?.items.map((client) => [client.clientId, client.clock.now] as const) ?? []),
    ]),
  }
}

/** The folded form for an order of any kind. */
function NewOrder({ shell, scenarios, clients }: Omit<Choices, 'nows'> & { shell: Shell }) {
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

const shownAtOnce = '50'

/** `/_emulator/ui/orders`: the orders, newest first. */
export const ordersPage: DashboardPage = {
  path: '/ui/orders',
  show: async (asked) => {
    const { shell, query } = asked
    const filter = filterOf(query)
    const [answer, choices] = await Promise.all([orRefusal(ordersOf(asked, filter)), readNewOrder(asked)])
    const tools = (
      <div class="order-tools">
        <Filters shell={shell} path="/ui/orders" filters={filtersOf(filter, choices.scenarios)} />
        <div class="order-more">
          <NewOrder shell={shell} {...choices} />
          <a href={linkTo(shell, '/ui/users')}>Users</a>
        </div>
      </div>
    )
    const view = { title: 'Orders', isLive: true, tools }
    if (typeof answer === 'string') return { ...view, body: <p class="empty wrong">{answer}</p> }
    const { items, next } = answer
    if (items.length === 0) return { ...view, body: await nothing(asked, filter) }
    const body = (
      <>
        <OrderRows shell={shell} orders={items} nows={choices.nows} />
        <Paging
          first={query.cursor === undefined ? null : linkTo(shell, '/ui/orders', filter)}
          next={next === null ? null : linkTo(shell, '/ui/orders', { ...filter, cursor: next })}
        />
      </>
    )
    return { ...view, body }
  },
}

const ordersOf = ({ api, shell: { clientId }, query: { cursor } }: Asked, filter: Narrowed) => {
  const { scenario, ...members } = filter
  return api.get('/orders', pageOf(orderShape), {
    ...{ order: 'newest', limit: shownAtOnce, clientId, cursor, ...members, 'scenario.id': scenario },
  })
}

/** The filters of the list of orders; empty ones are ignored. */
type Narrowed = Readonly<Record<'search' | 'status' | 'kind' | 'scenario' | 'email', string | undefined>>

function filtersOf({ search, status, kind, scenario, email }: Narrowed, scenarios: readonly string[]) {
  return [
    {
      ...{ name: 'search', label: 'Search', value: search, wide: true },
      placeholder: 'requestId, orderId or e-mail',
    },
    ...(email === undefined ? [] : [{ name: 'email', label: 'E-mail', value: email }]),
    { name: 'status', label: 'Status', value: status, options: withChosen(orderStatuses, status) },
    { name: 'kind', label: 'Kind', value: kind, options: withChosen(orderKinds, kind) },
    { name: 'scenario', label: 'Scenario', value: scenario, options: withChosen(scenarios, scenario) },
  ]
}

/** Adds the chosen option: scenarios may use statuses of their own, and may be gone. */
const withChosen = (known: readonly string[], chosen: string | undefined): readonly string[] =>
  chosen === undefined || known.includes(chosen) ? known : [...known, chosen]

function filterOf({ search, status, kind, scenario, email }: Asked['query']): Narrowed {
  const given = (text: string | undefined) => text?.trim() || undefined
  return {
    ...{ search: given(search), status: given(status), kind: given(kind) },
    ...{ scenario: given(scenario), email: given(email) },
  }
}

async function nothing(asked: Asked, filter: Narrowed) {
  const { shell, query } = asked
  if (Object.values(filter).some((value) => value !== undefined))
    return (
      <Empty title="No order matches">
        <p>
          <a href={linkTo(shell, '/ui/orders')}>Show all orders</a>
        </p>
      </Empty>
    )
  if (query.cursor !== undefined)
    return (
      <Empty title="No more orders">
        <p>
          <a href={linkTo(shell, '/ui/orders')}>Back to the newest</a>
        </p>
      </Empty>
    )
  return <FirstSteps shell={shell} {...(await readFirstSteps(asked))} />
}

/** The list of orders: a table, or cards on a phone. */
function OrderRows({
  shell,
  orders,
  nows,
}: {
  shell: Shell
  orders: readonly ShownOrder[]
  nows: Choices['nows']
}) {
  return (
    <table class="list orders in-lines">
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
          <th scope="col">Time line</th>
          <th scope="col">Next</th>
        </tr>
      </thead>
      <tbody>
        {orders.map((order, index) => (
          <OrderRow
            shell={shell}
            order={order}
            after={orders[index - 1]}
            now={nows.get(order.clientId) ?? order.updatedAt}
          />
        ))}
      </tbody>
    </table>
  )
}

interface CellProps {
  readonly shell: Shell
  readonly order: ShownOrder
}

function OrderRow({ shell, order, after, now }: CellProps & { after: ShownOrder | undefined; now: number }) {
  return (
    <tr id={`order-${encodeURIComponent(order.orderId)}`}>
      <td data-label="Created">
        <Moment at={order.createdAt} after={after?.createdAt} />
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
        <a
          href={linkTo(shell, '/ui/orders', { scenario: order.scenario.id })}
          title={whyWords(order.scenario.why)}
        >
          {order.scenario.id}
        </a>
      </td>
      <td data-label="Payer">
        <Payer order={order} />
      </td>
      <td data-label="Time line">
        <Progress order={order} now={now} />
      </td>
      <td data-label="Next">
        <Next order={order} now={now} />
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

function Progress({ order, now }: OrderOnly & { now: number }) {
  const story = outlineOf(order, now)
  const [leg] = legsOf(order)
  if (leg === undefined) return null
  const words = story.map((event) => `${event.words}${event.done ? '' : ' (to come)'}`).join(', ')
  return <SmallTimeLine drawing={smallDrawingOf(story, leg, now)} words={`Time line: ${words}`} />
}

function Next({ order: { timeline, waitsForPayer }, now }: OrderOnly & { now: number }) {
  const next = timeline.find(({ doneAt }) => doneAt === null)
  if (next === undefined) return <span class="none faint">–</span>
  return (
    <div>
      {next.what}
      <span class="under">
        {waitsForPayer ? 'waits for the payer' : <Coming at={next.dueAt} now={now} />}
      </span>
    </div>
  )
}

/** When something is due, by the client's clock. */
function Coming({ at, now }: { at: number | null; now: number }) {
  if (at === null) return null
  const iso = new Date(at).toISOString()
  return (
    <time datetime={iso} title={iso}>
      {fromNow(Math.max(at, now), now)}
    </time>
  )
}
