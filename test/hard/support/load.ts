import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { onTestFinished } from 'vitest'

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

/** Creates an order as the demo client.
 *  @returns the status of the answer; null if the connection broke */
export async function create(pool: Pool, requestId: string): Promise<number | null> {
  const signature = createHmac('sha256', 'demo-secret')
    .update(`fiatAmount=10.00&requestId=${requestId}`)
    .digest('base64')
  const body = {
    currencyId: 'usd_us',
    fiatAmount: '10.00',
    email: 'a@example.com',
    requestId,
    clientId: 'demo-client',
  }
  try {
    const answer = await pool.request({
      method: 'POST',
      path: '/v1/client/checkout/create-order',
      headers: { 'access-token': 'demo-token', 'content-type': 'application/json', signature },
      body: JSON.stringify(body),
    })
    // An answer counts as given when all of it has come.
    await answer.body.dump()
    return answer.statusCode
  } catch {
    return null
  }
}
