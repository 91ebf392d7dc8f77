import { order as orderShape } from '../../control/shapes/order.ts'
import { pageOf } from '../../control/shapes/page.ts'
import { Empty, Moment, Paging, Status } from './parts.tsx'
import { type DashboardPage, linkTo } from './view.ts'

const shownAtOnce = '50'

/** `/_emulator/`: the orders, newest first. */
export const ordersPage: DashboardPage = {
  path: '/',
  show: async ({ api, shell, query }) => {
    const { items, next } = await api.get('/orders', pageOf(orderShape), {
      order: 'newest',
      limit: shownAtOnce,
      clientId: shell.clientId,
      cursor: query.cursor,
    })
    const first = query.cursor === undefined ? null : linkTo(shell, '/')
    const body =
      items.length === 0 ? (
        <Empty title="No orders yet">
          <p>Create one with the command that the emulator printed at its start.</p>
        </Empty>
      ) : (
        <>
          <table>
            <thead>
              <tr>
                <th>Created</th>
                <th>requestId</th>
                <th>Status</th>
                <th>Amount</th>
                <th>Scenario</th>
                <th>Client</th>
              </tr>
            </thead>
            <tbody>
              {items.map((order) => (
                <tr id={`order-${order.orderId}`}>
                  <td>
                    <Moment at={order.createdAt} />
                  </td>
                  <td>
                    <a href={linkTo(shell, `/ui/orders/${order.orderId}`)}>{order.requestId}</a>
                  </td>
                  <td>
                    <Status of={order.orderStatus} />
                  </td>
                  <td class="number">
                    {order.fiatAmount} {order.currencyId}
                  </td>
                  <td>{order.scenario.id}</td>
                  <td>{order.clientId}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <Paging first={first} next={next === null ? null : linkTo(shell, '/', { cursor: next })} />
        </>
      )
    return { title: 'Orders', topics: ['order'], body }
  },
}
