import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import { client as clientShape } from '../../../control/shapes/client.ts'
import { pageOf } from '../../../control/shapes/common.ts'
import { settingsAnswer } from '../../../control/shapes/settings.ts'
import { demoCredentials } from '../../../domain/client/client.ts'
import { signedCurl } from '../../client-commands.ts'
import { Act, Curl, TokenVariable } from '../../framework/form.tsx'
import { Facts } from '../../framework/parts.tsx'
import { type Asked, linkTo, type Shell } from '../../framework/view.ts'
import { listenCommand, UrlForm } from '../deliveries/webhook-url.tsx'

type ShownClient = z.output<typeof clientShape>

interface FirstFacts {
  /** The client that a new user starts with; null for none. */
  readonly client: ShownClient | null
  /** The `curl` command that creates an order. */
  readonly curl: string
  /** The number of calls that were refused. */
  readonly refused: number
}

const refusals = z.looseObject({ items: z.array(z.unknown()) })
const anyCause = { 'diagnosis.cause': '*' } as const

const form = z.enum(['short', 'with-currency']).catch('short')

/** Reads the data for a first order. */
export async function readFirstSteps({ api, shell }: Asked): Promise<FirstFacts> {
  const { items } = await api.get('/clients', pageOf(clientShape), { clientId: shell.clientId, limit: '1' })
  const [client] = items
  const refused = (await api.get('/requests', refusals, { ...anyCause, clientId: shell.clientId })).items
    .length
  if (client === undefined) return { client: null, curl: '', refused }
  const { effective } = await api.get('/settings', settingsAnswer, { clientId: client.clientId })
  const curl = signedCurl({
    url: shell.origin,
    client,
    requestId: `first-${randomBytes(4).toString('hex')}`,
    form: form.parse(effective['signature.checkout']),
  })
  return { client, curl: curl.join(' \\\n  '), refused }
}

/** The introduction for new users: how to create the first order, and where its webhooks go. */
export function FirstSteps({ shell, client, curl, refused }: FirstFacts & { shell: Shell }) {
  if (client === null) return <NoClient shell={shell} />
  return (
    <div class="first-steps">
      <p class="lead">
        No orders yet. Point your application at this emulator, or create the first order here.
      </p>
      <RefusedCalls shell={shell} refused={refused} />
      <ol>
        <CreateOrder shell={shell} client={client} curl={curl} />
        <Connect shell={shell} client={client} />
        <ReceiveWebhooks shell={shell} client={client} />
        <ThenTry shell={shell} />
      </ol>
    </div>
  )
}

interface StepProps {
  readonly shell: Shell
  readonly client: ShownClient
}

/** Shows refused calls to a new user: the most common first mistake is a wrong signature. */
function RefusedCalls({ shell, refused }: { shell: Shell; refused: FirstFacts['refused'] }) {
  if (refused === 0) return null
  return (
    <p class="notice">
      <span>
        {refused === 1 ? 'One call was' : `${refused} calls were`} rejected.{' '}
        <a href={linkTo(shell, '/ui/requests', anyCause)}>See why</a>
      </span>
    </p>
  )
}

function CreateOrder({ shell, client, curl }: StepProps & Pick<FirstFacts, 'curl'>) {
  return (
    <li class="card">
      <h2>Create an order</h2>
      <p>Paste this into a terminal. Your application has to sign its calls in the same way.</p>
      {isDemo(client) ? (
        <div class="curl">
          <pre tabindex={0}>
            <code>{curl}</code>
          </pre>
          <button type="button" class="button plain copy scripted-only">
            Copy
          </button>
        </div>
      ) : (
        <Curl id="first-curl" text={curl} name="Show the command: it has the access token" />
      )}
      <p>Or let the emulator create one, without signature and token:</p>
      <Act
        shell={shell}
        id="first-order"
        action={{ method: 'POST', path: '/orders', body: { clientId: client.clientId } }}
        label="Create an order"
        look="primary"
      />
    </li>
  )
}

function Connect({ shell, client }: StepProps) {
  const { clientId, apiSecret, accessToken, webhookSecret } = client
  const secrets = (
    <Facts
      rows={[
        ['apiSecret', <code>{apiSecret}</code>],
        ['Access token', <code>{accessToken}</code>],
        ['webhookSecret', <code>{webhookSecret}</code>],
      ]}
    />
  )
  return (
    <li class="card">
      <h2>Connect your application</h2>
      <Facts
        rows={[
          ['Base URL', <code>{shell.origin}</code>],
          ['clientId', <code>{clientId}</code>],
        ]}
      />
      {isDemo(client) ? (
        secrets
      ) : (
        <details class="folded" id="first-credentials">
          <summary>Show the credentials</summary>
          {secrets}
        </details>
      )}
    </li>
  )
}

function ReceiveWebhooks({ shell, client: { clientId, webhookUrl } }: StepProps) {
  return (
    <li class="card">
      <h2>Receive webhooks</h2>
      {webhookUrl === null ? (
        <>
          <p>
            No URL is registered, so webhooks are only recorded. Set a URL, or run{' '}
            <code>{listenCommand(clientId, shell)}</code> in a second terminal.{' '}
            <TokenVariable shell={shell} />
          </p>
          <UrlForm shell={shell} clientId={clientId} webhookUrl={null} />
        </>
      ) : (
        <p>
          Webhooks go to <code>{webhookUrl}</code>.
        </p>
      )}
    </li>
  )
}

function ThenTry({ shell }: { shell: Shell }) {
  return (
    <li class="card">
      <h2>Then try this</h2>
      <ul>
        <li>
          Make a payment fail: <a href={linkTo(shell, '/ui/scenarios')}>choose a scenario</a> for the next
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

/** Whether the client has the published demo credentials. Others may be on a screen that strangers see. */
const isDemo = ({ apiSecret, accessToken, webhookSecret }: ShownClient): boolean =>
  apiSecret === demoCredentials.apiSecret &&
  accessToken === demoCredentials.accessToken &&
  webhookSecret === demoCredentials.webhookSecret

function NoClient({ shell }: { shell: Shell }) {
  return (
    <div class="empty">
      <h2>No clients</h2>
      <p>There is no client yet, and every order belongs to one.</p>
      <Act
        shell={shell}
        id="first-client"
        action={{ method: 'POST', path: '/clients' }}
        label="Create a client"
        look="primary"
      />
    </div>
  )
}
