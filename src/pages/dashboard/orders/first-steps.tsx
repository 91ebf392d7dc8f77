import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { client as clientShape } from '../../../control/shapes/client.ts'
import { pageOf } from '../../../control/shapes/page.ts'
import { journalEntry } from '../../../control/shapes/request.ts'
import { settingsAnswer } from '../../../control/shapes/settings.ts'
import { shellQuoted } from '../../shell-quote.ts'
import { signedCurl } from '../../signed-curl.ts'
import { UrlForm } from '../deliveries/webhook-url.tsx'
import { Act } from '../form.tsx'
import { Facts } from '../parts.tsx'
import { requestPath } from '../paths.ts'
import { type Asked, linkTo, type Shell } from '../view.ts'
import type { ShownRequest } from './story.ts'

type Client = z.output<typeof clientShape>

interface FirstFacts {
  /** The client that a newcomer begins with; null if there is none. */
  readonly client: Client | null
  /** Creates an order when it is pasted. */
  readonly curl: string
  /** The latest call of the service, if it was refused. */
  readonly refused: ShownRequest | null
}

const form = z.enum(['short', 'with-currency']).catch('short')

/** Reads what somebody needs for the first order. */
export async function readFirstSteps({ api, shell }: Asked): Promise<FirstFacts> {
  const { items } = await api.get('/clients', pageOf(clientShape), { clientId: shell.clientId, limit: '1' })
  const [client] = items
  if (client === undefined) return { client: null, curl: '', refused: null }
  const [{ effective }, requests] = await Promise.all([
    api.get('/settings', settingsAnswer, { clientId: client.clientId }),
    api.get('/requests', pageOf(journalEntry).loose(), {
      ...{ clientId: shell.clientId, order: 'newest', limit: '1' },
    }),
  ])
  const [latest] = requests.items
  const curl = signedCurl({
    url: shell.origin,
    client,
    requestId: `first-${randomBytes(4).toString('hex')}`,
    form: form.parse(effective['signature.checkout']),
  })
  const refused = latest !== undefined && latest.status >= 400 ? latest : null
  return { client, curl: curl.join(' \\\n  '), refused }
}

/** What a newcomer sees: how to make the first order, and where its webhooks go. */
export function FirstSteps({ shell, client, curl, refused }: FirstFacts & { shell: Shell }) {
  if (client === null) return <NoClient shell={shell} />
  return (
    <div class="first-steps">
      <p class="lead">
        No orders yet. Point your application at this emulator, or make the first order right here.
      </p>
      {refused === null ? null : <LatestRefused request={refused} shell={shell} />}
      <ol>
        <CreateOne shell={shell} client={client} curl={curl} />
        <Connect shell={shell} client={client} />
        <Receive shell={shell} client={client} />
        <TryThis shell={shell} />
      </ol>
    </div>
  )
}

/** The commonest first mistake is a wrong signature: the calls do arrive. */
function LatestRefused({ request, shell }: { request: ShownRequest; shell: Shell }) {
  const { id, status, operation, method, path, diagnosis } = request
  return (
    <p class="note bad" id="latest-refused">
      A call came, and was refused: {operation ?? `${method} ${path}`} was answered {status}
      {diagnosis === null ? '.' : `, because of this: ${diagnosis.message}.`}{' '}
      <a href={linkTo(shell, requestPath(id))}>See why</a>
    </p>
  )
}

interface StepProps {
  readonly shell: Shell
  readonly client: Client
}

function CreateOne({ shell, client: { clientId }, curl }: StepProps & { curl: string }) {
  return (
    <li class="card">
      <h2>Create an order</h2>
      <p>Paste this into a terminal. It is signed as your application has to sign it.</p>
      <div class="curl">
        <pre tabindex={0}>
          <code>{curl}</code>
        </pre>
        <button type="button" class="button plain copy scripted-only">
          Copy
        </button>
      </div>
      <p>Or let the emulator make one, without signature and token:</p>
      <Act
        shell={shell}
        id="first-order"
        action={{ method: 'POST', path: '/orders', body: { clientId } }}
        label="Create an order"
        look="primary"
      />
    </li>
  )
}

function Connect({ shell, client }: StepProps) {
  const { clientId, apiSecret, accessToken, webhookSecret } = client
  return (
    <li class="card">
      <h2>Connect your application</h2>
      <Facts
        rows={[
          ['Base URL', <code>{shell.origin}</code>],
          ['clientId', <code>{clientId}</code>],
          ['apiSecret', <code>{apiSecret}</code>],
          ['Access token', <code>{accessToken}</code>],
          ['webhookSecret', <code>{webhookSecret}</code>],
        ]}
      />
    </li>
  )
}

function Receive({ shell, client: { clientId, webhookUrl } }: StepProps) {
  return (
    <li class="card">
      <h2>Receive webhooks</h2>
      {webhookUrl === null ? (
        <>
          <p>
            No URL is registered, so they are only written down. Set one, or run{' '}
            <code>{listenCommand(clientId, shell.origin)}</code> in a second terminal.
          </p>
          <UrlForm shell={shell} clientId={clientId} webhookUrl={null} />
        </>
      ) : (
        <p>
          They go to <code>{webhookUrl}</code>.
        </p>
      )}
    </li>
  )
}

function TryThis({ shell }: { shell: Shell }) {
  return (
    <li class="card">
      <h2>Then try this</h2>
      <ul>
        <li>
          Let a payment fail: <a href={linkTo(shell, '/ui/scenarios')}>choose a scenario</a> for the next
          order.
        </li>
        <li>
          Skip the waiting: <a href={linkTo(shell, '/ui/clocks')}>move the clock</a>.
        </li>
        <li>
          Break the connection: <a href={linkTo(shell, '/ui/faults')}>plan a fault</a>.
        </li>
      </ul>
    </li>
  )
}

function NoClient({ shell }: { shell: Shell }) {
  return (
    <div class="empty">
      <h2>No clients</h2>
      <p>Orders belong to a client, and there is none.</p>
      <Act
        shell={shell}
        id="first-client"
        action={{ method: 'POST', path: '/clients' }}
        label="Make a client"
        look="primary"
      />
    </div>
  )
}

/** How to call `listen` so that it finds this emulator and this client. */
function listenCommand(clientId: string, origin: string): string {
  return [
    'npm start -- listen',
    ...(origin === 'http://127.0.0.1:4600' ? [] : ['--url', origin]),
    ...(clientId === 'demo-client' ? [] : ['--client', shellQuoted(clientId)]),
  ].join(' ')
}
