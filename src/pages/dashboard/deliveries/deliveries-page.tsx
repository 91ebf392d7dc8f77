import type { z } from 'zod'
import { client as clientShape } from '../../../control/shapes/client.ts'
import { delivery as deliveryShape } from '../../../control/shapes/delivery.ts'
import { pageOf } from '../../../control/shapes/page.ts'
import { orderStatuses } from '../../../domain/statuses.ts'
import { type ControlApi, orRefusal } from '../control-api.ts'
import { type Filter, Filters } from '../filters.tsx'
import { Empty, Paging } from '../parts.tsx'
import { type Asked, type DashboardPage, linkTo, type Shell } from '../view.ts'
import { DeliveryTable } from './delivery-table.tsx'
import { HoldTools } from './hold-tools.tsx'
import { DeliveryNotices } from './notices.tsx'
import { UrlHelp } from './webhook-url.tsx'

type Delivery = z.output<typeof deliveryShape>
type Client = z.output<typeof clientShape>

const path = '/ui/deliveries'
const shownAtOnce = '50'
/** Of all clients, so many are asked what keeps their webhooks back, beside those on the page. */
const clientsAsked = '100'

/** `/_emulator/ui/deliveries`: webhooks, newest first. */
export const deliveriesPage: DashboardPage = {
  path,
  show: async ({ api, shell, query }) => {
    const filters = filtersIn(query)
    const view = {
      ...{ title: 'Webhooks', topics: ['delivery', 'setup'] as const },
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
          <DeliveryTable shell={shell} deliveries={items} />
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
    // Links from elsewhere narrow the list by these.
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

/** The clients whose webhooks are on the page, and as many others as one call gives. */
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

/** Help where nobody who is looked at receives anything. With many clients it is for the first. */
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
        Each status change of an order sends one. <a href={linkTo(shell, '/')}>Create an order</a>, or{' '}
        <a href={linkTo(shell, `${path}/send`)}>send a webhook by hand</a>.
      </p>
    </Empty>
  )
}
