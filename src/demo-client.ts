import { type Config, demo } from './config.ts'
import type { Clients } from './lifecycle/clients.ts'

/** Makes the demo client, or lets the flags win over what the database says of it. Its clock is kept. */
export async function ensureDemoClient(clients: Clients, config: Config): Promise<void> {
  const { clientId, apiSecret, accessToken, webhookSecret, webhookUrl } = config
  if (clients.find(clientId) === undefined) {
    await clients.create({
      clientId,
      apiSecret: apiSecret ?? demo.apiSecret,
      accessToken: accessToken ?? demo.accessToken,
      webhookSecret: webhookSecret ?? demo.webhookSecret,
      webhookUrl: webhookUrl ?? null,
    })
    return
  }
  await clients.update(clientId, { apiSecret, accessToken, webhookSecret, webhookUrl })
}
