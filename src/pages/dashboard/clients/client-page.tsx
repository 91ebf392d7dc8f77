import type { z } from 'zod'
import { about } from '../../../control/shapes/about.ts'
import { client as clientShape } from '../../../control/shapes/client.ts'
import { settingsAnswer } from '../../../control/shapes/settings.ts'
import { Now } from '../clocks/now.tsx'
import { type DashboardPage, linkTo, type Shell, type View } from '../view.ts'
import { ClientEnd } from './client-end.tsx'
import { ClientForms } from './client-forms.tsx'
import { paceWords, type ShownClient } from './clients-page.tsx'
import { Credentials } from './credentials.tsx'
import { scenarioIds } from './scenario-ids.ts'

/** `/_emulator/ui/clients/{clientId}`: all of one client, and what its application needs to know. */
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
      topics: ['order', 'delivery', 'request', 'clock'],
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

/** Orders and webhooks of another client than the one that the pages are narrowed to are not there; nor is the client. */
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

/** The same dashboard, narrowed to this client. */
function Places({ client: { clientId } }: { client: ShownClient }) {
  const places = [
    ['/', 'Orders'],
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
