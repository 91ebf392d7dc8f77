import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'undici'
import { onTestFinished } from 'vitest'
import type { Credentials } from '../../support/client.ts'

/** A folder that goes with the test. */
export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hard-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Connections to one emulator, closed with the test. */
export function connect(url: string, connections: number): Pool {
  const pool = new Pool(url, { connections, pipelining: 1 })
  onTestFinished(() => pool.destroy())
  return pool
}

/** The demo client's credentials, but for its webhook secret. */
export const demo = { clientId: 'demo-client', apiSecret: 'demo-secret', accessToken: 'demo-token' } as const

/** Creates an order, as the demo client unless another is named.
 *  @returns the status of the answer; null if the connection broke */
export function create(
  pool: Pool,
  requestId: string,
  client: Omit<Credentials, 'webhookSecret'> = demo,
): Promise<number | null> {
  const signed = `fiatAmount=10.00&requestId=${requestId}`
  return post(pool, 'checkout', { requestId, signed, client })
}

/** Creates an order of the demo client under a scenario: a subscription, if that has charges.
 *  @returns as `create` */
export function createUnder(scenario: string, pool: Pool, requestId: string): Promise<number | null> {
  const headers = { 'emulator-scenario': scenario }
  const fields = `fiatAmount=10.00&requestId=${requestId}`
  if (scenario !== 'long-subscription')
    return post(pool, 'checkout', { requestId, signed: fields, client: demo, headers })
  const signed = `currencyId=usd_us&${fields}&interval=MONTHLY`
  return post(pool, 'subscription', {
    ...{ requestId, signed, client: demo, headers },
    members: { interval: 'MONTHLY' },
  })
}

interface Wanted {
  readonly requestId: string
  /** The signed text. */
  readonly signed: string
  readonly client: Omit<Credentials, 'webhookSecret'>
  readonly headers?: Readonly<Record<string, string>>
  readonly members?: object
}

async function post(
  pool: Pool,
  kind: 'checkout' | 'subscription',
  { requestId, signed, client, headers, members }: Wanted,
): Promise<number | null> {
  const { clientId, apiSecret, accessToken } = client
  const signature = createHmac('sha256', apiSecret).update(signed).digest('base64')
  const own = { 'access-token': accessToken, 'content-type': 'application/json', signature }
  const body = {
    currencyId: 'usd_us',
    fiatAmount: '10.00',
    email: 'a@example.com',
    requestId,
    clientId,
    ...members,
  }
  try {
    const answer = await pool.request({
      method: 'POST',
      path: `/v1/client/${kind}/create-order`,
      headers: { ...own, ...headers },
      body: JSON.stringify(body),
    })
    // An answer counts as given when all of it has come.
    await answer.body.dump()
    return answer.statusCode
  } catch {
    return null
  }
}

/** Acts at an even pace, whether or not earlier acts have ended, like many independent callers. Resolves when all
 *  have ended.
 *  @param act receives its number, from 0, and its due time in milliseconds of `performance.now()` */
export async function atPace(
  perSecond: number,
  seconds: number,
  act: (n: number, dueAt: number) => Promise<void>,
): Promise<void> {
  const begun = performance.now()
  const acts: Promise<void>[] = []
  while (acts.length < perSecond * seconds) {
    const elapsed = performance.now() - begun
    while (acts.length < Math.min((elapsed / 1000) * perSecond, perSecond * seconds)) {
      acts.push(act(acts.length, begun + (acts.length / perSecond) * 1000))
    }
    await pause(1)
  }
  await Promise.all(acts)
}
