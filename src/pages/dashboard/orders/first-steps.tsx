import { randomBytes } from 'node:crypto'
import type { Child } from 'hono/jsx'
import { z } from 'zod'
import { demo } from '../../../config.ts'
import { client as clientShape } from '../../../control/shapes/client.ts'
import { pageOf } from '../../../control/shapes/page.ts'
import { settingsAnswer } from '../../../control/shapes/settings.ts'
import { shellQuoted } from '../../shell-quote.ts'
import { signedCurl } from '../../signed-curl.ts'
import { UrlForm } from '../deliveries/webhook-url.tsx'
import { Act } from '../form.tsx'
import { Facts } from '../parts.tsx'
import { type Asked, linkTo, type Shell } from '../view.ts'

interface FirstFacts {
  /** The client that a newcomer begins with; null if there is none. */
  readonly client: z.output<typeof clientShape> | null
  /** Creates an order when it is pasted. */
  readonly curl: string
}

const form = z.enum(['short', 'with-currency']).catch('short')

/** Reads what somebody needs for the first order. */
export async function readFirstSteps({ api, shell }: Asked): Promise<FirstFacts> {
  const { items } = await api.get('/clients', pageOf(clientShape), { clientId: shell.clientId, limit: '1' })
  const [client] = items
  if (client === undefined) return { client: null, curl: '' }
  const { effective } = await api.get('/settings', settingsAnswer, { clientId: client.clientId })
  const curl = signedCurl({
    url: shell.origin,
    client,
    requestId: `first-${randomBytes(4).toString('hex')}`,
    form: form.parse(effective['signature.checkout']),
  })
  return { client, curl: curl.join(' \\\n  ') }
}

/** What a newcomer sees: how to make the first order, and where its webhooks go. */
export function FirstSteps({ shell, client, curl }: FirstFacts & { shell: Shell }) {
  if (client === null) return <NoClient shell={shell} />
  const { clientId, apiSecret, accessToken, webhookSecret, webhookUrl } = client
  const isKnown =
    apiSecret === demo.apiSecret && accessToken === demo.accessToken && webhookSecret === demo.webhookSecret
  const listen = listenCommand(clientId, shell.origin)
  return (
    <div class="first-steps">
      <p class="lead">
        No orders yet. Point your application at this emulator, or make the first order right here.
      </p>
      <ol>
        <li class="card">
          <h2>Create an order</h2>
          <p>Paste this into a terminal. It is signed as your application has to sign it.</p>
          <Secret id="first-curl" label="Show the command" isKnown={isKnown}>
            <div class="curl">
              <pre tabindex={0}>
                <code>{curl}</code>
              </pre>
              <button type="button" class="button plain copy scripted-only">
                Copy
              </button>
            </div>
          </Secret>
          <p>Or let the emulator make one, without signature and token:</p>
          <Act
            shell={shell}
            id="first-order"
            action={{ method: 'POST', path: '/orders', body: { clientId } }}
            label="Create an order"
            look="primary"
          />
        </li>
        <li class="card">
          <h2>Connect your application</h2>
          <Facts
            rows={[
              ['Base URL', <code>{shell.origin}</code>],
              ['clientId', <code>{clientId}</code>],
            ]}
          />
          <Secret id="first-credentials" label="Show the credentials" isKnown={isKnown}>
            <Facts
              rows={[
                ['apiSecret', <code>{apiSecret}</code>],
                ['Access token', <code>{accessToken}</code>],
                ['webhookSecret', <code>{webhookSecret}</code>],
              ]}
            />
          </Secret>
        </li>
        <li class="card">
          <h2>Receive webhooks</h2>
          {webhookUrl === null ? (
            <>
              <p>
                No URL is registered, so they are only written down. Set one, or run <code>{listen}</code> in
                a second terminal.
              </p>
              <UrlForm shell={shell} clientId={clientId} webhookUrl={null} />
            </>
          ) : (
            <p>
              They go to <code>{webhookUrl}</code>.
            </p>
          )}
        </li>
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
      </ol>
    </div>
  )
}

/** Folded away, because others may see the screen; but not what is printed for all to see. */
function Secret({
  id,
  label,
  isKnown,
  children,
}: {
  id: string
  label: string
  isKnown: boolean
  children?: Child
}) {
  if (isKnown) return <>{children}</>
  return (
    <details class="folded" id={id}>
      <summary>{label}</summary>
      {children}
    </details>
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
