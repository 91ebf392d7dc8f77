import type { ClockPace, TestClient } from '../index.ts'
import type { Application } from './application.ts'

/** A client that a run has taken over: what a case changes of it can be put back. */
export interface ClientInCare {
  /** As it is during the run: after each case. */
  putBack(): Promise<void>
  /** As it was before the run; its clock stays ahead. */
  restore(): Promise<void>
}

/** Long enough that moving the clock by hours expires no token, which is a matter of K30 alone. Applications set a timer
 *  by it, and timers know 24.8 days at most. */
const tokenLifetime = '20d'

/** Stops the client's clock, and has its webhooks go to the application and be signed as it verifies them. */
export async function takeOver(client: TestClient, app: Application): Promise<ClientInCare> {
  const { settings, webhookUrl, clock } = await client.read()
  const during = {
    'auth.tokenLifetime': tokenLifetime,
    ...settings,
    ...(app.webhookSignature !== 'none' && { 'webhook.auth': app.webhookSignature }),
  }
  const pace: ClockPace = clock.mode === 'manual' ? { mode: 'manual' } : { mode: 'real', speed: clock.speed }
  await client.clock.set({ mode: 'manual' })
  await become(client, app.webhookUrl, during)
  return {
    putBack: () => become(client, app.webhookUrl, during),
    restore: async () => {
      await become(client, webhookUrl, settings)
      await client.clock.set(pace)
    },
  }
}

/** Its own token is set to the same, which makes it good again if it had expired. */
async function become(
  client: TestClient,
  webhookUrl: string | null,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { settings: found, accessToken } = await client.read()
  const added = Object.keys(found).filter((name) => !Object.hasOwn(settings, name))
  const without = Object.fromEntries(added.map((name) => [name, null]))
  await client.change({ webhookUrl, accessToken, settings: { ...settings, ...without } })
}
