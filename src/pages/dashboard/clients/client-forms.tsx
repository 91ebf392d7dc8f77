import { Act } from '../../framework/form.tsx'
import { Facts, Moment, Status } from '../../framework/parts.tsx'
import { linkTo, type Shell, scenarioPath } from '../../framework/view.ts'
import { pauseWords } from '../deliveries/next-try.ts'
import { UrlForm } from '../deliveries/webhook-url.tsx'
import type { ShownClient } from './clients-page.tsx'

interface Parts {
  readonly client: ShownClient
  readonly shell: Shell
}

/** The forms on a client's page that change the client. */
export function ClientForms({ client, shell, scenarios }: Parts & { scenarios: readonly string[] }) {
  return (
    <>
      <Webhook client={client} shell={shell} />
      <WebhookSecret client={client} shell={shell} />
      <DefaultScenario client={client} shell={shell} scenarios={scenarios} />
      <OwnSettings client={client} />
      <Holds client={client} shell={shell} />
      <ChangeCredentials client={client} shell={shell} />
    </>
  )
}

function DefaultScenario({
  client: { clientId, defaultScenario },
  shell,
  scenarios,
}: Parts & { scenarios: readonly string[] }) {
  return (
    <section aria-labelledby="scenario">
      <h2 id="scenario">Scenario of its orders</h2>
      <p>
        Orders follow this scenario unless they choose another:{' '}
        <a href={linkTo({ clientId }, scenarioPath(defaultScenario))}>{defaultScenario}</a>.
      </p>
      <div class="one-line">
        <Act
          shell={shell}
          id="default-scenario"
          action={patch(clientId)}
          label="Change the scenario"
          fields={[
            {
              type: 'text',
              name: 'defaultScenario',
              label: 'Scenario',
              value: defaultScenario,
              suggestions: scenarios,
              required: true,
            },
          ]}
        />
      </div>
    </section>
  )
}

function ChangeCredentials({ client: { clientId }, shell }: Parts) {
  return (
    <details class="folded" id="change-credentials">
      <summary>Change its credentials</summary>
      <Act
        shell={shell}
        id="new-credentials"
        action={patch(clientId)}
        label="Save the filled-in fields"
        fields={[
          { type: 'text', name: 'apiSecret', label: 'API secret' },
          { type: 'text', name: 'accessToken', label: 'Access token' },
          { type: 'text', name: 'webhookSecret', label: 'Webhook secret', placeholder: 'whsec_…' },
        ]}
      />
    </details>
  )
}

function Webhook({ client, shell }: Parts) {
  const { clientId, webhookUrl, webhookPaused } = client
  return (
    <section aria-labelledby="webhook">
      <h2 id="webhook">Webhook URL</h2>
      {webhookUrl === null ? (
        <p>No URL: webhooks are recorded, but not sent. Set the URL where your application receives them.</p>
      ) : (
        <p>
          Webhooks go to <code>{webhookUrl}</code>.
        </p>
      )}
      {webhookPaused ? (
        <p>
          <Status of="paused" /> {pauseWords(client)}, so nothing is sent until you set the URL again. It can
          be the same URL.
        </p>
      ) : null}
      <div class="one-line">
        <UrlForm
          shell={shell}
          clientId={clientId}
          webhookUrl={webhookUrl}
          label={webhookPaused ? 'Set it again' : 'Set the URL'}
          look={webhookUrl === null || webhookPaused ? 'primary' : 'plain'}
        />
      </div>
      {webhookUrl === null ? null : (
        <Act
          shell={shell}
          id="clear-webhook-url"
          action={{ ...patch(clientId), body: { webhookUrl: null } }}
          label="Remove the URL"
        />
      )}
    </section>
  )
}

/** The rotation of the webhook secret (N70). */
function WebhookSecret({ client: { clientId, previousWebhookSecret, clock }, shell }: Parts) {
  const until = previousWebhookSecret?.validUntil
  return (
    <section aria-labelledby="webhook-secret">
      <h2 id="webhook-secret">Webhook secret</h2>
      {until === undefined ? (
        <p>
          Rotate it to see whether your application accepts both secrets for a while: each webhook then has
          two signatures.
        </p>
      ) : until > clock.now ? (
        <p>
          <Status of="rotating" /> Until <Moment at={until} />, each webhook has two signatures: with the new
          secret, and with the one before it.
        </p>
      ) : (
        <p>
          It was rotated. Webhooks are signed with the new secret only since <Moment at={until} />.
        </p>
      )}
      <Act
        shell={shell}
        id="rotate-webhook-secret"
        action={{ method: 'POST', path: `/clients/${encodeURIComponent(clientId)}/rotate-webhook-secret` }}
        label="Rotate the secret"
        fields={[
          { type: 'text', name: 'overlap', label: 'Overlap', placeholder: '24h' },
          {
            ...{ type: 'text', name: 'webhookSecret', label: 'New secret', placeholder: 'whsec_…' },
            hint: 'Generated if empty.',
          },
        ]}
      />
    </section>
  )
}

function OwnSettings({ client: { clientId, settings } }: Pick<Parts, 'client'>) {
  const own = Object.entries(settings)
  return (
    <section aria-labelledby="own-settings">
      <h2 id="own-settings">Client settings</h2>
      {own.length === 0 ? (
        <p>No overrides; global settings apply.</p>
      ) : (
        <Facts rows={own.map(([name, value]) => [name, <code>{JSON.stringify(value)}</code>])} />
      )}
      <p>
        <a href={linkTo({ clientId }, '/ui/settings')}>See and change its settings</a>
      </p>
    </section>
  )
}

function Holds({ client: { clientId, holds = [] }, shell }: Parts) {
  const query = { clientId }
  return (
    <section aria-labelledby="holds">
      <h2 id="holds">Webhooks held back</h2>
      {holds.length === 0 ? (
        <>
          <p>None. Hold webhooks to see what your application does while none arrive.</p>
          <Act
            shell={shell}
            id="hold"
            action={{ method: 'POST', path: '/deliveries/hold', query }}
            label="Hold all its webhooks"
          />
        </>
      ) : (
        <>
          <ul>
            {holds.map((where) => (
              <li>{Object.keys(where).length === 0 ? 'all' : <code>{JSON.stringify(where)}</code>}</li>
            ))}
          </ul>
          <Act
            shell={shell}
            id="release"
            action={{ method: 'POST', path: '/deliveries/release', query }}
            label="Release them"
            look="primary"
          />
        </>
      )}
    </section>
  )
}

const patch = (clientId: string) => ({
  method: 'PATCH' as const,
  path: `/clients/${encodeURIComponent(clientId)}`,
})
