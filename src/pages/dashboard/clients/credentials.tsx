import { shellQuoted } from '../../../domain/text/shell.ts'
import { clientVariables } from '../../client-commands.ts'
import { curlOf } from '../../framework/action.ts'
import type { Shell } from '../../framework/view.ts'
import type { ShownClient } from './clients-page.tsx'
import { type Snippet, snippets } from './snippets.ts'

/** The credentials of a client for its application. Secrets are folded away: others may see the screen. */
export function Credentials({
  client,
  shell,
  form,
}: {
  client: ShownClient
  shell: Shell
  form: 'short' | 'with-currency'
}) {
  const variables = clientVariables(shell.origin, client)
  const { clientId } = client
  return (
    <section aria-labelledby="point">
      <h2 id="point">Point your application at it</h2>
      <p>
        The base URL is <code>{shell.origin}</code>, its clientId <code>{clientId}</code>. Nothing else in
        your code changes.
      </p>
      <details class="card folded" id="credentials">
        <summary>Show the credentials</summary>
        <CredentialTable variables={variables} />
        <h3>As a .env file</h3>
        <pre tabindex={0} id="env">
          <code>{envFile(variables)}</code>
        </pre>
        <h3>As JSON</h3>
        <pre tabindex={0} id="env-json">
          <code>{JSON.stringify(variables, null, 2)}</code>
        </pre>
        <h3>A token that expires</h3>
        <p class="hint">
          The access token above never expires. Request one with a lifetime to test how your application
          renews it.
        </p>
        <pre tabindex={0} id="issue-token">
          <code>{tokenCurl(client, shell)}</code>
        </pre>
      </details>
      <h3>A first order, signed</h3>
      <p class="hint">
        These programs need no library, and read the variables of the .env file. The signature is HMAC-SHA256
        with the API secret, in base64.
      </p>
      <div class="snippets">
        {snippets(form).map((snippet) => (
          <SnippetBox snippet={snippet} />
        ))}
      </div>
    </section>
  )
}

const uses = [
  ['PAYMENT_ORDER_BASE_URL', 'before every path'],
  ['PAYMENT_ORDER_CLIENT_ID', 'in bodies and queries'],
  ['PAYMENT_ORDER_API_SECRET', 'signs create calls'],
  ['PAYMENT_ORDER_ACCESS_TOKEN', 'in the header access-token'],
  ['PAYMENT_ORDER_WEBHOOK_SECRET', 'verifies the signature of webhooks'],
] as const

function CredentialTable({ variables }: { variables: Readonly<Record<string, string>> }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Variable</th>
          <th scope="col">Value</th>
          <th scope="col">Purpose</th>
        </tr>
      </thead>
      <tbody>
        {uses.map(([variable, use]) => (
          <tr>
            <th scope="row" class="mono">
              {variable}
            </th>
            <td data-label="Value">
              <code>{variables[variable]}</code>
            </td>
            <td data-label="Purpose">{use}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function SnippetBox({ snippet: { name, code, run } }: { snippet: Snippet }) {
  const id = `snippet-${name.toLowerCase()}`
  return (
    <details class="card folded" id={id}>
      <summary>{name}</summary>
      <pre tabindex={0} id={`${id}-code`}>
        <code>{code}</code>
      </pre>
      <p class="hint">
        Run it with <code>{run}</code>
      </p>
    </details>
  )
}

/** The call that gets a token, which needs credentials and no control token. */
function tokenCurl({ clientId, apiSecret }: ShownClient, { origin }: Shell): string {
  const text = JSON.stringify({ clientId, apiSecret })
  return curlOf({ method: 'POST', path: '/access-token', type: 'application/json', text }, origin, false)
}

/** The variables as a file for shells and `node --env-file`. */
function envFile(variables: Readonly<Record<string, string>>): string {
  const plain = /^[\w.:/=+@-]*$/
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${plain.test(value) ? value : shellQuoted(value)}`)
    .join('\n')
}
