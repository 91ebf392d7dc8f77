import type { z } from 'zod'
import { about } from '../../../control/shapes/about.ts'
import { client as clientShape } from '../../../control/shapes/client.ts'
import { pageOf } from '../../../control/shapes/page.ts'
import { Now } from '../clocks/now.tsx'
import { Paging, Status } from '../parts.tsx'
import { clientPath, scenarioPath } from '../paths.ts'
import { type Asked, type DashboardPage, linkTo, type Shell } from '../view.ts'
import { NewClient } from './new-client.tsx'
import { scenarioIds } from './scenario-ids.ts'
import { NobodyFound, SearchClients } from './search-clients.tsx'

const shownAtOnce = '25'

/** A client as the control API shows it. */
export type ShownClient = z.output<typeof clientShape>

interface Row {
  readonly client: ShownClient
  readonly holds: z.output<typeof about>['holds']
}

/** `/_emulator/ui/clients`: who there is, in pages, searched by name or webhook URL. */
export const clientsPage: DashboardPage = {
  path: '/ui/clients',
  show: async (asked) => {
    const { shell, query } = asked
    const { search, cursor } = query
    const { rows, next } = await rowsOf(asked)
    return {
      title: 'Clients',
      topics: ['order', 'clock', 'setup'],
      tools: (
        <>
          <p class="lead">
            A client is a merchant account: one application with its own credentials, orders and clock. Give
            each parallel test its own client, and no test sees the data of another.
          </p>
          <div class="split">
            <SearchClients shell={shell} search={search} />
            <NewClient shell={shell} scenarios={await scenarioIds(asked)} />
          </div>
        </>
      ),
      body:
        rows.length === 0 ? (
          <NobodyFound shell={shell} search={search} path="/ui/clients" />
        ) : (
          <>
            <ClientTable rows={rows} shell={shell} />
            <Paging
              first={cursor === undefined ? null : linkTo(shell, '/ui/clients', { search })}
              next={next === null ? null : linkTo(shell, '/ui/clients', { search, cursor: next })}
              words={['First page', 'More clients']}
            />
          </>
        ),
    }
  },
}

async function rowsOf({ api, shell, query }: Asked): Promise<{ rows: Row[]; next: string | null }> {
  const { clientId } = shell
  const { items, next } = await api.get('/clients', pageOf(clientShape), {
    ...{ clientId, limit: shownAtOnce, cursor: query.cursor, search: query.search || undefined },
  })
  const rows = items.map(async (client) => {
    const { holds } = await api.get('/about', about, { clientId: client.clientId })
    return { client, holds }
  })
  return { rows: await Promise.all(rows), next }
}

function ClientTable({ rows, shell }: { rows: readonly Row[]; shell: Shell }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">clientId</th>
          <th scope="col">Webhook URL</th>
          <th scope="col">Scenario</th>
          <th scope="col">Clock</th>
          <th scope="col">Orders</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <ClientRow {...row} shell={shell} />
        ))}
      </tbody>
    </table>
  )
}

function ClientRow({ client, holds, shell }: Row & { shell: Shell }) {
  const { clientId, webhookUrl, webhookPaused, defaultScenario, clock } = client
  const scope = { clientId }
  return (
    <tr id={`client-${clientId}`}>
      <th scope="row">
        <a href={linkTo(shell, clientPath(clientId))}>{clientId}</a>
      </th>
      <td data-label="Webhook URL">
        <span>
          {webhookUrl === null ? <span class="faint">none</span> : <span class="mono">{webhookUrl}</span>}{' '}
          {webhookPaused ? <Status of="paused" /> : null}
        </span>
      </td>
      <td data-label="Scenario">
        <a href={linkTo(scope, scenarioPath(defaultScenario))}>{defaultScenario}</a>
      </td>
      <td data-label="Clock">
        <span>
          <a href={linkTo(scope, '/ui/clocks')}>{paceWords(clock)}</a> <Now clock={clock} />
        </span>
      </td>
      <td data-label="Orders" class="number">
        <a href={linkTo(scope, '/')}>{holds.orders.toLocaleString('en')}</a>
      </td>
    </tr>
  )
}

/** How a clock goes, in a word. */
export const paceWords = ({ mode, speed }: ShownClient['clock']): string =>
  mode === 'manual' ? 'manual' : speed === 1 ? 'real' : `${speed}x`
