import type { z } from 'zod'
import { about } from '../../../control/shapes/about.ts'
import { client as clientShape } from '../../../control/shapes/client.ts'
import { pageOf } from '../../../control/shapes/common.ts'
import { scenarioSummary } from '../../../control/shapes/scenario.ts'
import { allItems } from '../../framework/control-api.ts'
import { Act, type Field } from '../../framework/form.tsx'
import { Empty, Paging, Status } from '../../framework/parts.tsx'
import {
  type Asked,
  clientPath,
  type DashboardPage,
  linkTo,
  type Shell,
  scenarioPath,
} from '../../framework/view.ts'
import { Now, paceWords } from '../clocks/clock-bar.tsx'

/** The folded form that creates a client. */
function NewClient({ shell, scenarios }: { shell: Shell; scenarios: readonly string[] }) {
  return (
    <details class="card folded" id="new-client" open={wasRefused(shell)}>
      <summary>Create a client</summary>
      <p class="hint">Empty fields get generated values.</p>
      <Act
        shell={shell}
        id="make-client"
        action={{ method: 'POST', path: '/clients' }}
        label="Create the client"
        look="primary"
        fields={fieldsOf(scenarios)}
      />
    </details>
  )
}

const fieldsOf = (scenarios: readonly string[]): readonly Field[] => [
  { type: 'text', name: 'clientId', label: 'clientId', placeholder: 'shop' },
  {
    type: 'text',
    name: 'webhookUrl',
    label: 'Webhook URL',
    placeholder: 'http://127.0.0.1:3000/webhooks',
    hint: 'Where your application receives webhooks. Without a URL they are only recorded.',
  },
  {
    type: 'text',
    name: 'defaultScenario',
    label: 'Scenario of its orders',
    placeholder: 'happy',
    suggestions: scenarios,
  },
  {
    type: 'text',
    name: 'clock.mode',
    label: 'Clock',
    options: [
      { value: '', label: 'default for new clients' },
      { value: 'real', label: 'real: follows wall-clock time' },
      { value: 'manual', label: 'manual: stopped until it is moved' },
    ],
  },
  { type: 'text', name: 'apiSecret', label: 'API secret' },
  { type: 'text', name: 'accessToken', label: 'Access token' },
  { type: 'text', name: 'webhookSecret', label: 'Webhook secret', placeholder: 'whsec_…' },
]

/** Whether the form was just rejected, and is to be shown for correction. */
function wasRefused({ note }: Shell): boolean {
  return note?.action?.path === '/clients' && (note.status === null || note.status >= 400)
}

/** Returns the ids of scenarios, which form fields suggest. */
export const scenarioIds = async ({ api }: Pick<Asked, 'api'>): Promise<string[]> =>
  (await allItems(api, '/scenarios', scenarioSummary)).map(({ id }) => id)

const shownAtOnce = '25'

/** A client as the control API shows it. */
export type ShownClient = z.output<typeof clientShape>

interface Row {
  readonly client: ShownClient
  readonly holds: z.output<typeof about>['holds']
}

/** `/_emulator/ui/clients`: the clients, in pages, searched by name or webhook URL. */
export const clientsPage: DashboardPage = {
  path: '/ui/clients',
  show: async (asked) => {
    const { shell, query } = asked
    const { search, cursor } = query
    const { rows, next } = await rowsOf(asked)
    return {
      title: 'Clients',
      isLive: true,
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
          <NoUserFound shell={shell} search={search} path="/ui/clients" />
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
  const { clientId, webhookUrl, webhookPaused, previousWebhookSecret, defaultScenario, clock } = client
  const scope = { clientId }
  return (
    <tr id={`client-${clientId}`}>
      <th scope="row">
        <a href={linkTo(shell, clientPath(clientId))}>{clientId}</a>{' '}
        {clock.now < (previousWebhookSecret?.validUntil ?? 0) ? <Status of="rotating" /> : null}
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
        <a href={linkTo(scope, '/ui/orders')}>{holds.orders.toLocaleString('en')}</a>
      </td>
    </tr>
  )
}

/** Searches clients by a part of their name or webhook URL. */
export function SearchClients({ shell, search = '' }: { shell: Shell; search?: string | undefined }) {
  return (
    <search>
      <form method="get" action={shell.here.split('?')[0]} class="one-line" id="search-clients">
        <div class="field">
          <label for="search">Find a client</label>
          <input
            id="search"
            name="search"
            type="search"
            value={search}
            placeholder="part of its clientId or webhook URL"
            autocomplete="off"
            spellcheck={false}
          />
        </div>
        <button type="submit" class="button">
          Find
        </button>
      </form>
    </search>
  )
}

/** The message on the clients page when no client matches the search. */
export function NoUserFound({
  shell,
  search = '',
  path,
}: {
  shell: Shell
  search?: string | undefined
  path: string
}) {
  if (search === '')
    return (
      <Empty title="No clients yet">
        <p>Create one. All fields have defaults, so you can submit the empty form.</p>
      </Empty>
    )
  return (
    <Empty title="No client matches">
      <p>
        No client has “{search}” in the clientId or the webhook URL.{' '}
        <a href={linkTo(shell, path)}>Show all clients</a>
      </p>
    </Empty>
  )
}
