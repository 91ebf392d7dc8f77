import type * as z from 'zod'
import { client as clientShape } from '../../../control/shapes/client.ts'
import { pageOf } from '../../../control/shapes/common.ts'
import { delivery as deliveryShape } from '../../../control/shapes/delivery.ts'
import { orderStatuses } from '../../../domain/order/statuses.ts'
import { overrideOf } from '../../../domain/webhook/faults/attempt-faults.ts'
import { type ControlApi, orRefusal } from '../../framework/control-api.ts'
import { type Filter, Filters } from '../../framework/filters.tsx'
import { Act } from '../../framework/form.tsx'
import { Confirm, Empty, Moment, Paging, Short, Status } from '../../framework/parts.tsx'
import { type Asked, type DashboardPage, deliveryPath, linkTo, type Shell } from '../../framework/view.ts'
import { Overridden } from './attempts.tsx'
import { DeliveryNotices } from './notices.tsx'
import { UrlHelp } from './webhook-url.tsx'

type Delivery = z.output<typeof deliveryShape>
type Client = z.output<typeof clientShape>

const path = '/ui/deliveries'
const shownAtOnce = '50'
/** The id of the form that sends the chosen webhooks again. */
const resendForm = 'resend-chosen'
/** The number of clients checked for obstacles, beside those on the page. */
const clientsAsked = '100'

/** `/_emulator/ui/deliveries`: webhooks, newest first. */
export const deliveriesPage: DashboardPage = {
  path,
  show: async ({ api, shell, query }) => {
    const filters = filtersIn(query)
    const view = {
      ...{ title: 'Webhooks', isLive: true, looksAt: 'attempts' as const },
      tools: <Tools shell={shell} filters={filters} />,
    }
    const answer = await orRefusal(
      api.get('/deliveries', pageOf(deliveryShape), {
        ...{ ...filters, clientId: shell.clientId },
        ...{ cursor: query.cursor, order: 'newest', limit: shownAtOnce },
      }),
    )
    if (typeof answer === 'string') return { ...view, body: <p class="empty wrong">{answer}</p> }
    const { items, next } = answer
    const clients = await clientsAround(items, api, shell)
    const body = (
      <>
        <DeliveryNotices shell={shell} clients={clients} />
        <MissingUrl shell={shell} clients={clients} />
        {items.length === 0 ? (
          <NoDeliveries shell={shell} isFiltered={Object.values(filters).some(Boolean)} />
        ) : (
          <>
            <DeliveryTable shell={shell} deliveries={items} />
            <Act
              shell={shell}
              id={resendForm}
              action={{ method: 'POST', path: '/deliveries/resend', query: { clientId: shell.clientId } }}
              label="Send the chosen webhooks again"
            />
          </>
        )}
        <Paging
          first={query.cursor === undefined ? null : linkTo(shell, path, filters)}
          next={next === null ? null : linkTo(shell, path, { ...filters, cursor: next })}
        />
      </>
    )
    return { ...view, body }
  },
}

type Filtered = ReturnType<typeof filtersIn>

const filtersIn = ({ search, status, orderStatus, outcome, requestId, orderId }: Asked['query']) => ({
  ...{ search, status, orderStatus, outcome, requestId, orderId },
})

function Tools({ shell, filters }: { shell: Shell; filters: Filtered }) {
  const { orderStatus, status, outcome, search } = filters
  const shown: readonly Filter[] = [
    { name: 'search', label: 'Search', value: search, placeholder: 'requestId, orderId, id', wide: true },
    {
      ...{ name: 'status', label: 'Status', value: status },
      options: ['pending', 'delivered', 'dead', 'held', 'skipped'],
    },
    {
      ...{ name: 'orderStatus', label: 'Event', value: orderStatus, placeholder: 'COMPLETED' },
      suggestions: orderStatuses,
    },
    {
      ...{ name: 'outcome', label: 'Last outcome', value: outcome },
      options: ['accepted', 'refused', 'timeout', 'connection', 'unknown'],
    },
    // Further filters, which links from other pages set.
    ...[
      { name: 'requestId', label: 'requestId', value: filters.requestId },
      { name: 'orderId', label: 'orderId', value: filters.orderId },
    ].filter(({ value }) => value),
  ]
  return (
    <>
      <Filters shell={shell} path={path} filters={shown} />
      <div class="deeds">
        <a class="button" href={linkTo(shell, `${path}/send`)}>
          Send one by hand
        </a>
        <HoldTools shell={shell} />
      </div>
    </>
  )
}

/** Reads the clients of the listed webhooks, and as many others as one call returns. */
async function clientsAround(items: readonly Delivery[], api: ControlApi, shell: Shell): Promise<Client[]> {
  if (shell.clientId !== undefined)
    return [await api.get(`/clients/${encodeURIComponent(shell.clientId)}`, clientShape)]
  const { items: some } = await api.get('/clients', pageOf(clientShape), { limit: clientsAsked })
  const known = new Set(some.map(({ clientId }) => clientId))
  const others = [...new Set(items.map(({ clientId }) => clientId))].filter((id) => !known.has(id))
  const found = await Promise.all(
    others.map((id) =>
      api.get('/clients', pageOf(clientShape), { clientId: id }).catch(() => ({ items: [] })),
    ),
  )
  return [...some, ...found.flatMap((page) => page.items)]
}

/** Help if no checked client has a webhook URL; with many clients for the first. */
function MissingUrl({ shell, clients }: { shell: Shell; clients: readonly Client[] }) {
  const [first] = clients
  if (first === undefined || clients.some(({ webhookUrl }) => webhookUrl !== null)) return null
  return <UrlHelp shell={shell} clientId={first.clientId} />
}

function NoDeliveries({ shell, isFiltered }: { shell: Shell; isFiltered: boolean }) {
  if (isFiltered)
    return (
      <Empty title="No webhook matches">
        <p>
          <a href={linkTo(shell, path)}>Show all webhooks</a>
        </p>
      </Empty>
    )
  return (
    <Empty title="No webhooks yet">
      <p>
        Each status change of an order sends one. <a href={linkTo(shell, '/ui/orders')}>Create an order</a>,
        or <a href={linkTo(shell, `${path}/send`)}>send a webhook by hand</a>.
      </p>
    </Empty>
  )
}

/** Forms that hold and release webhooks, all or matching ones. */
function HoldTools({ shell }: { shell: Shell }) {
  const query = { clientId: shell.clientId }
  const whose = shell.clientId ?? 'all clients'
  return (
    <details class="fold" id="hold">
      <summary>Hold and release</summary>
      <div class="card">
        <p class="hint">
          A hold delays webhooks, both due and future ones, while orders and time go on. It applies to {whose}
          .
        </p>
        <Act
          shell={shell}
          id="hold-form"
          action={{ method: 'POST', path: '/deliveries/hold', query, body: { where: {} } }}
          label="Hold these webhooks"
          fields={[
            {
              ...{ type: 'text', name: 'where.orderStatus', label: 'Event', placeholder: 'every event' },
              suggestions: orderStatuses,
            },
            {
              ...{
                type: 'text',
                name: 'where.requestId',
                label: 'requestId',
                placeholder: 'every requestId',
              },
              hint: 'May end in *.',
            },
            { type: 'text', name: 'where.orderId', label: 'orderId', placeholder: 'every order' },
            {
              ...{ type: 'text', name: 'where.orderType', label: 'orderType', placeholder: 'every type' },
              suggestions: ['CHECKOUT', 'SUBSCRIPTION'],
            },
            { type: 'text', name: 'where.eventType', label: 'Event type', placeholder: 'every event type' },
          ]}
        />
        <Confirm id="confirm-release" label={`End all holds of ${whose}…`}>
          <p>Held webhooks are sent immediately. This cannot be undone.</p>
          <Act
            shell={shell}
            id="release-all"
            action={{ method: 'POST', path: '/deliveries/release', query }}
            label={`End all holds of ${whose}`}
            look="danger"
          />
        </Confirm>
      </div>
    </details>
  )
}

type ListedDelivery = z.output<typeof deliveryShape>

/** The table of webhook deliveries. */
function DeliveryTable({ shell, deliveries }: { shell: Shell; deliveries: readonly ListedDelivery[] }) {
  return (
    <table class="list deliveries in-lines">
      <thead>
        <tr>
          <th scope="col" class="choose">
            <span class="unseen">Choose</span>
          </th>
          <th scope="col">Created</th>
          <th scope="col">requestId</th>
          <th scope="col">Event</th>
          <th scope="col">Status</th>
          <th scope="col">Tries</th>
          <th scope="col">Last outcome</th>
          <th scope="col">URL</th>
          {shell.clientId === undefined ? <th scope="col">Client</th> : null}
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery, index) => (
          <Row shell={shell} delivery={delivery} after={deliveries[index - 1]} />
        ))}
      </tbody>
    </table>
  )
}

function Row({
  shell,
  delivery,
  after,
}: {
  shell: Shell
  delivery: ListedDelivery
  after: ListedDelivery | undefined
}) {
  const { id, createdAt, requestId, orderStatus, status, attempts, plan, url, clientId } = delivery
  return (
    <tr id={`delivery-${id}`}>
      <td class="choose" data-label="Choose">
        <input
          type="checkbox"
          id={`choose-${id}`}
          form={resendForm}
          name="item:ids"
          value={id}
          aria-label={`Choose ${orderStatus} of ${requestId || id}`}
        />
      </td>
      <td data-label="Created">
        <Moment at={createdAt} after={after?.createdAt} />
      </td>
      <th scope="row" data-label="requestId">
        <a class="id" href={linkTo(shell, deliveryPath(id))} title={requestId || id}>
          {requestId || id}
        </a>
      </th>
      <td data-label="Event">
        <Short text={orderStatus} />
      </td>
      <td data-label="Status">
        <Status of={status} />
      </td>
      <td data-label="Tries" class="number">
        {attempts.length}
      </td>
      <td data-label="Last outcome">
        <Outcome plan={plan} attempt={attempts.at(-1)} />
      </td>
      <td data-label="URL">
        <Short text={url ?? ''} />
      </td>
      {shell.clientId === undefined ? (
        <td data-label="Client">
          <Short text={clientId} />
        </td>
      ) : null}
    </tr>
  )
}

function Outcome({
  plan,
  attempt,
}: Pick<ListedDelivery, 'plan'> & { attempt: ListedDelivery['attempts'][number] | undefined }) {
  if (attempt === undefined) return <span class="faint">none</span>
  const override = overrideOf(plan, attempt)
  if (override !== null) return <Overridden words={override} />
  const { outcome, status, ms } = attempt
  return (
    <span class="number nowrap">
      {outcome}
      {status === null ? null : ` ${status}`}
      {ms === null ? null : <span class="faint"> in {ms} ms</span>}
    </span>
  )
}
