import type { z } from 'zod'
import { pageOf } from '../../../control/shapes/common.ts'
import { user as userShape } from '../../../control/shapes/order.ts'
import { Empty, Paging } from '../../framework/parts.tsx'
import { type DashboardPage, linkTo } from '../../framework/view.ts'

/** `/_emulator/ui/users`: the users for whom orders were created. */
export const usersPage: DashboardPage = {
  path: '/ui/users',
  show: async ({ api, shell, query }) => {
    const { items, next } = await api.get('/users', pageOf(userShape), {
      clientId: shell.clientId,
      cursor: query.cursor,
      limit: '100',
    })
    const tools = (
      <p>
        A user with a <code>userId</code> is identified by it, all others by their e-mail.{' '}
        <a href={linkTo(shell, '/ui/orders')}>All orders</a>
      </p>
    )
    if (items.length === 0) {
      const body = (
        <Empty title="No users yet">
          <p>
            Users appear with their orders. <a href={linkTo(shell, '/ui/orders')}>Create one</a>
          </p>
        </Empty>
      )
      return { title: 'Users', isLive: true, tools, body }
    }
    const body = (
      <>
        <UserTable users={items} />
        <Paging
          first={query.cursor === undefined ? null : linkTo(shell, '/ui/users')}
          next={next === null ? null : linkTo(shell, '/ui/users', { cursor: next })}
        />
      </>
    )
    return { title: 'Users', isLive: true, tools, body }
  },
}

function UserTable({ users }: { users: readonly z.output<typeof userShape>[] }) {
  return (
    <table class="list">
      <caption class="unseen">Users</caption>
      <thead>
        <tr>
          <th scope="col">User</th>
          <th scope="col">E-mail</th>
          <th scope="col">Client</th>
          <th scope="col">Orders</th>
        </tr>
      </thead>
      <tbody>
        {users.map(({ clientId, userKey, email, userId, orders }) => (
          <tr id={`user-${encodeURIComponent(clientId)}-${encodeURIComponent(userKey)}`}>
            <td data-label="User">
              <div>
                {userKey}
                {userId === undefined ? null : <span class="under">userId</span>}
              </div>
            </td>
            <td data-label="E-mail">{email}</td>
            <td data-label="Client">{clientId}</td>
            <td data-label="Orders" class="number">
              <a
                href={linkTo(
                  { clientId },
                  '/ui/orders',
                  userId === undefined ? { email } : { search: userId },
                )}
              >
                {orders}
              </a>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
