import { order as orderShape } from '../../../control/shapes/order.ts'
import { pageOf } from '../../../control/shapes/page.ts'
import { orderKinds } from '../../../domain/order.ts'
import { orderStatuses } from '../../../domain/statuses.ts'
import { orRefusal } from '../control-api.ts'
import { Filters } from '../filters.tsx'
import { Empty, Paging } from '../parts.tsx'
import { type Asked, type DashboardPage, linkTo } from '../view.ts'
import { FirstSteps, readFirstSteps } from './first-steps.tsx'
import { NewOrder, readNewOrder } from './new-order.tsx'
import { OrderRows } from './order-rows.tsx'

const shownAtOnce = '50'

/** `/_emulator/`: the orders, newest first. */
export const ordersPage: DashboardPage = {
  path: '/',
  show: async (asked) => {
    const { shell, query } = asked
    const filter = filterOf(query)
    const [answer, choices] = await Promise.all([orRefusal(ordersOf(asked, filter)), readNewOrder(asked)])
    const tools = (
      <div class="order-tools">
        <Filters shell={shell} path="/" filters={filtersOf(filter, choices.scenarios)} />
        <div class="order-more">
          <NewOrder shell={shell} {...choices} />
          <a href={linkTo(shell, '/ui/users')}>Users</a>
        </div>
      </div>
    )
    const view = { title: 'Orders', topics: ['order'] as const, tools }
    if (typeof answer === 'string') return { ...view, body: <p class="empty wrong">{answer}</p> }
    const { items, next } = answer
    if (items.length === 0)
      return { ...view, topics: ['order', 'request'] as const, body: await nothing(asked, filter) }
    const body = (
      <>
        <OrderRows shell={shell} orders={items} />
        <Paging
          first={query.cursor === undefined ? null : linkTo(shell, '/', filter)}
          next={next === null ? null : linkTo(shell, '/', { ...filter, cursor: next })}
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

/** What the list is narrowed to; what is empty narrows nothing. */
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

/** Scenarios may write statuses of their own, and may be gone. */
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
          <a href={linkTo(shell, '/')}>Show all orders</a>
        </p>
      </Empty>
    )
  if (query.cursor !== undefined)
    return (
      <Empty title="No more orders">
        <p>
          <a href={linkTo(shell, '/')}>Back to the newest</a>
        </p>
      </Empty>
    )
  return <FirstSteps shell={shell} {...(await readFirstSteps(asked))} />
}
