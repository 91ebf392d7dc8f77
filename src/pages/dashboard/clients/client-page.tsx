import type { z } from 'zod'
import { about } from '../../../control/shapes/about.ts'
import { client as clientShape } from '../../../control/shapes/client.ts'
import { settingsAnswer } from '../../../control/shapes/settings.ts'
import { Act } from '../../framework/form.tsx'
import { Confirm } from '../../framework/parts.tsx'
import { type DashboardPage, linkTo, type Shell, type View } from '../../framework/view.ts'
import { Now, paceWords } from '../clocks/clock-bar.tsx'
import { EmptyWorld } from '../world/reset.tsx'
import { snapshotFile, snapshotUrl } from '../world/snapshots.tsx'
import { ClientForms } from './client-forms.tsx'
import { type ShownClient, scenarioIds } from './clients-page.tsx'
import { Credentials } from './credentials.tsx'

/** `/_emulator/ui/clients/{clientId}`: all facts of a client, and the credentials for its application. */
export const clientPage: DashboardPage = {
  path: '/ui/clients/:clientId',
  show: async (asked) => {
    const { api, shell, param } = asked
    const path = `/clients/${encodeURIComponent(param('clientId'))}`
    const client = await api.get(path, clientShape)
    const { clientId } = client
    if (shell.clientId !== undefined && shell.clientId !== clientId) return ofAnother(client, shell)
    const [{ holds, sinceStart }, { effective }] = await Promise.all([
      api.get('/about', about, { clientId }),
      api.get('/settings', settingsAnswer, { clientId }),
    ])
    const form = effective['signature.checkout'] === 'with-currency' ? 'with-currency' : 'short'
    return {
      title: `Client ${clientId}`,
      isLive: true,
      body: (
        <div class="client">
          <Places client={client} />
          <Numbers client={client} holds={holds} sinceStart={sinceStart} />
          <Credentials client={client} shell={shell} form={form} />
          <ClientForms client={client} shell={shell} scenarios={await scenarioIds(asked)} />
          <ClientEnd client={client} shell={shell} />
        </div>
      ),
    }
  },
}

/** Whether the page is about another client than the selected one, and therefore not found. */
const ofAnother = ({ clientId }: ShownClient, shell: Shell): View => ({
  title: `Client ${clientId}`,
  status: 404,
  body: (
    <p class="empty">
      The dashboard shows only {shell.clientId}.{' '}
      <a href={linkTo({ clientId }, `/ui/clients/${encodeURIComponent(clientId)}`)}>Show {clientId}</a>
    </p>
  ),
})

/** Links from a client's page to its orders, webhooks and requests. */
function Places({ client: { clientId } }: { client: ShownClient }) {
  const places = [
    ['/ui/orders', 'Orders'],
    ['/ui/deliveries', 'Webhooks'],
    ['/ui/requests', 'Requests'],
    ['/ui/clocks', 'Clock'],
    ['/ui/faults', 'Faults'],
    ['/ui/settings', 'Settings'],
  ] as const
  return (
    <nav class="places" aria-label="Pages of this client">
      <ul>
        {places.map(([path, name]) => (
          <li>
            <a href={linkTo({ clientId }, path)}>Its {name.toLowerCase()}</a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

type About = z.output<typeof about>

function Numbers({
  client: { clock },
  holds,
  sinceStart,
}: { client: ShownClient } & Pick<About, 'holds' | 'sinceStart'>) {
  const numbers: readonly (readonly [string, number])[] = [
    ['Orders', holds.orders],
    ['Webhooks waiting', holds.pendingDeliveries],
    ['Webhooks held back', holds.heldDeliveries],
    ['Requests', sinceStart.requests],
    ['Refused', sinceStart.refusals],
    ['Webhooks delivered', sinceStart.delivered],
    ['Given up', sinceStart.dead],
    ['Without a URL', sinceStart.skipped],
  ]
  return (
    <dl class="numbers">
      <div class="wide">
        <dt>Clock, {paceWords(clock)}</dt>
        <dd>
          <Now clock={clock} />
        </dd>
      </div>
      {numbers.map(([name, count]) => (
        <div>
          <dt>{name}</dt>
          <dd>{count.toLocaleString('en')}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Forms that save, reset and remove a client. */
function ClientEnd({ client: { clientId }, shell }: { client: ShownClient; shell: Shell }) {
  return (
    <section aria-labelledby="world">
      <h2 id="world">Its data</h2>
      <p>
        <a href={snapshotUrl(clientId)} download={snapshotFile(clientId)}>
          Save it as a snapshot
        </a>{' '}
        before you break something on purpose, and <a href={linkTo({ clientId }, '/ui/world')}>restore it</a>{' '}
        later.
      </p>
      <EmptyWorld clientId={clientId} shell={shell} />
      <Confirm id="confirm-delete" label="Delete the client…">
        <p>This deletes the client and all its data. An application that uses it gets 401 from then on.</p>
        <Act
          shell={shell}
          id="delete-client"
          action={{ method: 'DELETE', path: `/clients/${encodeURIComponent(clientId)}` }}
          label={`Delete ${clientId}`}
          look="danger"
          then={linkTo(clientId === shell.clientId ? { clientId: undefined } : shell, '/ui/clients')}
        />
      </Confirm>
    </section>
  )
}
