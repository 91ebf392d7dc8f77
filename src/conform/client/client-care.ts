import type { TestClient } from '../../index.ts'
import type { Application } from '../application/application.ts'
import { type FormerClient, Hold, type HoldTiming, leftByOther } from './hold.ts'

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

/** Cases count on how often and how long the service tries, whatever other tests of the client have set. */
const asServicesSend = {
  'webhook.retry.max': 10,
  'webhook.retry.base': '1s',
  'webhook.retry.cap': '10m',
  'webhook.timeout': '5s',
}

/** Stops the client's clock, and has its webhooks go to the application and be signed as it verifies them. What a run
 *  that has died has left of itself is put back first.
 *  @param run what the names that this run gives begin with
 *  @throws WrongConfiguration if another run holds the client */
export async function takeOver(
  client: TestClient,
  app: Application,
  run: string,
  timing?: HoldTiming,
): Promise<ClientInCare> {
  const left = await leftByOther(client, timing)
  if (left !== null) await cleanUp(client, left)
  const former = await stateOf(client)
  const during = {
    'auth.tokenLifetime': tokenLifetime,
    ...former.settings,
    ...asServicesSend,
    ...(app.webhookSignature !== 'none' && { 'webhook.auth': app.webhookSignature }),
  }
  const hold = await Hold.take(client, { run, former, ...(timing && { timing }) })
  await client.clock.set({ mode: 'manual' })
  await become(client, app.webhookUrl, during)
  return {
    putBack: () => become(client, app.webhookUrl, during),
    restore: async () => {
      await restore(client, former)
      await hold.end()
    },
  }
}

async function stateOf(client: TestClient): Promise<FormerClient> {
  const { settings, webhookUrl, clock } = await client.read()
  const faults = (await client.faults.list()).map(({ id }) => id)
  const pace =
    clock.mode === 'manual' ? ({ mode: 'manual' } as const) : ({ mode: 'real', speed: clock.speed } as const)
  return { webhookUrl, settings, pace, faults }
}

async function restore(client: TestClient, { webhookUrl, settings, pace }: FormerClient): Promise<void> {
  await become(client, webhookUrl, settings)
  await client.clock.set(pace)
}

/** Its faults first: while they stand, every call of the application may be refused. */
async function cleanUp(
  client: TestClient,
  { run, former }: { run: string; former: FormerClient },
): Promise<void> {
  for (const { id } of await client.faults.list())
    if (!former.faults.includes(id)) await client.faults.remove(id)
  await client.scenarios.clearPlanned()
  await client.deliveries.release()
  const scripts = (await client.scenarios.list()).filter(({ id }) => /^conform-k\d\d-/.test(id))
  for (const { id } of scripts)
    if (id.slice('conform-k00-'.length).startsWith(run)) await client.scenarios.remove(id)
  await restore(client, former)
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
