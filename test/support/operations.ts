import type { Answer } from './answer.ts'
import { type CallOptions, paths, type TestClient } from './client.ts'

/** One operation of the service, as a right call that a test can spoil. */
export interface Operation {
  readonly name: string
  readonly path: string
  readonly method: 'GET' | 'POST'
  /** Whether its errors about input are objects, as on the create paths (N28). */
  readonly creates: boolean
  readonly call: (client: TestClient, requestId: string, options?: CallOptions) => Promise<Answer>
}

/** All operations; the update of the webhook URL twice, because it has two paths. */
export const operations: readonly Operation[] = [
  {
    name: 'checkout create',
    path: paths.checkout,
    method: 'POST',
    creates: true,
    call: (client, requestId, options) => client.createCheckout(requestId, options),
  },
  {
    name: 'subscription create',
    path: paths.subscription,
    method: 'POST',
    creates: true,
    call: (client, requestId, options) => client.createSubscription(requestId, options),
  },
  lookup('crypto lookup', paths.crypto),
  lookup('fiat lookup', paths.fiat),
  lookup('refund lookup', paths.refunds),
  {
    name: 'simulate-webhook',
    path: paths.simulate,
    method: 'POST',
    creates: false,
    call: (client, requestId, options) => client.simulate(client.simulation(requestId), options),
  },
  update('webhook-url', paths.webhookUrl),
  update('fiat/webhook-url', paths.fiatWebhookUrl),
]

/** The three lookups. */
export const lookups = operations.filter(({ method }) => method === 'GET')

function lookup(name: string, path: string): Operation {
  return {
    name,
    path,
    method: 'GET',
    creates: false,
    call: (client, requestId, options) =>
      client.lookUp(path, { requestId, clientId: client.clientId }, options),
  }
}

/** Sets a URL without a server. */
function update(name: string, path: string): Operation {
  return {
    name,
    path,
    method: 'POST',
    creates: false,
    call: (client, _, options) => client.setWebhookUrl('http://127.0.0.1:9/', options, path),
  }
}
