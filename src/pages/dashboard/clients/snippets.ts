/** A correct create call in a programming language. It reads the environment variables of `clientVariables`, so it
 *  holds no secret. */
export interface Snippet {
  readonly name: string
  readonly code: string
  /** The command that runs it. */
  readonly run: string
}

/** The calls in all languages, runnable without a library: `test/pages/dashboard/snippets.test.ts` runs them.
 *  @param form the signed one of the two documented texts (N19) */
export function snippets(form: 'short' | 'with-currency'): readonly Snippet[] {
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
