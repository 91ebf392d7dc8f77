import { shellQuoted } from '../../../domain/text/shell.ts'
import { clientVariables } from '../../client-commands.ts'
import { curlOf } from '../../framework/action.ts'
import type { Shell } from '../../framework/view.ts'
import type { ShownClient } from './clients-page.tsx'

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

/** A correct create call in a programming language. It reads the environment variables of `clientVariables`, so it
 *  holds no secret. */
interface Snippet {
  readonly name: string
  readonly code: string
  /** The command that runs the code snippet. */
  readonly run: string
}

/** The calls in all languages, runnable without a library: `test/pages/dashboard/snippets.test.ts` runs them.
 *  @param form the signed one of the two documented texts (N19) */
function snippets(form: 'short' | 'with-currency'): readonly Snippet[] {
  const named = form === 'short' ? '' : 'currencyId=usd_us&'
  return [
    { name: 'Shell', run: 'set -a; . ./.env; set +a; bash create.sh', code: shell(named) },
    { name: 'Node', run: 'node --env-file=.env create.mjs', code: node(named) },
    { name: 'Python', run: 'set -a; . ./.env; set +a; python3 create.py', code: python(named) },
    { name: 'Java', run: 'set -a; . ./.env; set +a; java Create.java', code: java(named) },
  ]
}

const shell = (named: string) => `request_id="order-$(date +%s)-$RANDOM"
# The signature covers the values exactly as in the body.
signature=$(printf '${named}fiatAmount=10.00&requestId=%s' "$request_id" |
  openssl dgst -sha256 -hmac "$PAYMENT_ORDER_API_SECRET" -binary | base64)

curl -sS "$PAYMENT_ORDER_BASE_URL/v1/client/checkout/create-order" \\
  -H "access-token: $PAYMENT_ORDER_ACCESS_TOKEN" \\
  -H "signature: $signature" \\
  -H 'content-type: application/json' \\
  -d '{"currencyId":"usd_us","fiatAmount":"10.00","email":"buyer@example.com",
       "requestId":"'"$request_id"'","clientId":"'"$PAYMENT_ORDER_CLIENT_ID"'"}'`

const node = (named: string) => `import { createHmac, randomUUID } from 'node:crypto'

const { env } = process
const order = {
  currencyId: 'usd_us',
  fiatAmount: '10.00',
  email: 'buyer@example.com',
  requestId: randomUUID(),
  clientId: env.PAYMENT_ORDER_CLIENT_ID,
}
// The signature covers the values exactly as in the body.
const text = \`${named}fiatAmount=\${order.fiatAmount}&requestId=\${order.requestId}\`
const answer = await fetch(\`\${env.PAYMENT_ORDER_BASE_URL}/v1/client/checkout/create-order\`, {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    'access-token': env.PAYMENT_ORDER_ACCESS_TOKEN,
    signature: createHmac('sha256', env.PAYMENT_ORDER_API_SECRET).update(text).digest('base64'),
  },
  body: JSON.stringify(order),
})
console.log(answer.status, await answer.json())`

const python = (named: string) => `import base64, hashlib, hmac, json, os, urllib.request, uuid

env = os.environ
order = {
    "currencyId": "usd_us",
    "fiatAmount": "10.00",
    "email": "buyer@example.com",
    "requestId": str(uuid.uuid4()),
    "clientId": env["PAYMENT_ORDER_CLIENT_ID"],
}
# The signature covers the values exactly as in the body.
text = f"${named}fiatAmount={order['fiatAmount']}&requestId={order['requestId']}"
mac = hmac.new(env["PAYMENT_ORDER_API_SECRET"].encode(), text.encode(), hashlib.sha256)
request = urllib.request.Request(
    env["PAYMENT_ORDER_BASE_URL"] + "/v1/client/checkout/create-order",
    json.dumps(order).encode(),
    {
        "content-type": "application/json",
        "access-token": env["PAYMENT_ORDER_ACCESS_TOKEN"],
        "signature": base64.b64encode(mac.digest()).decode(),
    },
)
with urllib.request.urlopen(request) as answer:
    print(answer.status, json.load(answer))`

const java = (named: string) => `import java.net.URI;
import java.net.http.*;
import java.util.*;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class Create {
  public static void main(String[] arguments) throws Exception {
    var env = System.getenv();
    var requestId = UUID.randomUUID().toString();
    // The signature covers the values exactly as in the body.
    var text = "${named}fiatAmount=10.00&requestId=" + requestId;
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(env.get("PAYMENT_ORDER_API_SECRET").getBytes("UTF-8"), "HmacSHA256"));
    var signature = Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes("UTF-8")));
    var order = String.format(
        "{\\"currencyId\\":\\"usd_us\\",\\"fiatAmount\\":\\"10.00\\",\\"email\\":\\"buyer@example.com\\","
            + "\\"requestId\\":\\"%s\\",\\"clientId\\":\\"%s\\"}",
        requestId, env.get("PAYMENT_ORDER_CLIENT_ID"));
    var url = env.get("PAYMENT_ORDER_BASE_URL") + "/v1/client/checkout/create-order";
    var request = HttpRequest.newBuilder(URI.create(url))
        .header("content-type", "application/json")
        .header("access-token", env.get("PAYMENT_ORDER_ACCESS_TOKEN"))
        .header("signature", signature)
        .POST(HttpRequest.BodyPublishers.ofString(order))
        .build();
    var answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    System.out.println(answer.statusCode() + " " + answer.body());
  }
}`
