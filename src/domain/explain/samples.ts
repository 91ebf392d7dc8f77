import type { Client } from '../client.ts'
import type { NewOrder } from '../create.ts'
import type { OrderKind } from '../order.ts'
import type { EpochMs } from '../time.ts'

/** The order that a scenario is shown with. */
export function sampleOrder(kind: OrderKind, fiatAmount = '10.00'): NewOrder {
  return {
    kind,
    requestId: 'explain',
    fiatAmount,
    currencyId: 'usd_us',
    email: 'payer@example.com',
    request: kind === 'subscription' ? { interval: 'MONTHLY' } : {},
    metadata: null,
  }
}

/** The client whose order it is: one that receives webhooks. */
export function sampleClient(nowMs: EpochMs): Client {
  return {
    clientId: 'demo-client',
    apiSecret: 'demo-secret',
    accessToken: 'demo-token',
    webhookSecret: 'whsec_ZGVtby13ZWJob29rLXNlY3JldA==',
    webhookUrl: 'http://127.0.0.1:4601/',
    webhookPaused: false,
    holds: [],
    ownTokenExpired: false,
    tokensRefusedUntil: null,
    defaultScenario: 'happy',
    clock: { mode: 'manual', speed: 0, anchor: nowMs, anchorWall: nowMs },
    began: { at: nowMs, wallAt: nowMs },
    settings: {},
  }
}
