import { shellQuoted } from '../../../domain/text/shell.ts'
import { Act, Curl, TokenVariable, Variables } from '../../framework/form.tsx'
import type { Shell } from '../../framework/view.ts'

const example = 'http://127.0.0.1:3000/webhooks'

interface UrlFormProps {
  readonly shell: Shell
  readonly clientId: string
  /** The client's registered webhook URL. */
  readonly webhookUrl: string | null
  readonly label?: string
  readonly look?: 'primary' | 'plain'
}

/** The form that registers a client's webhook URL. */
export function UrlForm({
  shell,
  clientId,
  webhookUrl,
  label = 'Register this URL',
  look = 'plain',
}: UrlFormProps) {
  return (
    <Act
      shell={shell}
      id={`url-${encodeURIComponent(clientId)}`}
      action={{ method: 'PATCH', path: `/clients/${encodeURIComponent(clientId)}` }}
      label={label}
      look={look}
      fields={[
        {
          type: 'text',
          name: 'webhookUrl',
          label: `Webhook URL of ${clientId}`,
          value: webhookUrl ?? undefined,
          placeholder: example,
          required: true,
        },
      ]}
    />
  )
}

/** The help for a client that has no webhook URL. */
export function UrlHelp({ shell, clientId }: { shell: Shell; clientId: string }) {
  return (
    <section class="notice" id={`no-url-${encodeURIComponent(clientId)}`}>
      <h2>{clientId} has no webhook URL</h2>
      <p>
        Its webhooks are stored here as <strong>skipped</strong>: each shows what would have been sent. Three
        ways to receive them:
      </p>
      <UrlForm shell={shell} clientId={clientId} webhookUrl={null} />
      <Curl
        id={`service-call-${encodeURIComponent(clientId)}`}
        name="the way your application registers it"
        text={serviceCall(clientId, shell.origin)}
      />
      <Variables shell={shell} clientId={clientId} />
      <p class="hint">
        No receiver yet? <code>{listenCommand(clientId, shell)}</code> is one: it registers itself, checks
        each signature and prints a line for each webhook. <TokenVariable shell={shell} />
      </p>
    </section>
  )
}

/** The `listen` command for this emulator and client. */
export function listenCommand(
  clientId: string,
  { origin, programCall }: Pick<Shell, 'origin' | 'programCall'>,
): string {
  return [
    `${programCall} listen`,
    ...(origin === 'http://127.0.0.1:4600' ? [] : ['--url', origin]),
    ...(clientId === 'demo-client' ? [] : ['--client', shellQuoted(clientId)]),
  ].join(' ')
}

/** The service's own call that registers a URL. The token is not shown; it is on the client's page. */
function serviceCall(clientId: string, origin: string): string {
  return [
    `curl -X POST ${shellQuoted(`${origin}/v1/client/webhook-url`)}`,
    '-H "access-token: $PAYMENT_ORDER_ACCESS_TOKEN"',
    `-H ${shellQuoted(`client-id: ${clientId}`)}`,
    "-H 'content-type: application/json'",
    `--data-binary ${shellQuoted(JSON.stringify({ webhookUrl: example }))}`,
  ].join(' \\\n  ')
}
