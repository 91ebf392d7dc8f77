// What webhooks are measured against: a bare pool of undici, as many connections as the emulator gives an origin.

import { Pool } from 'undici'
import type { PoolEnd, PoolLoad } from '../webhooks/bare-pool.ts'

/** About as long as a webhook. */
const body = JSON.stringify({ eventType: 'BUY', orderStatus: 'CREATED', filling: 'x'.repeat(600) })
const headers = {
  'content-type': 'application/json',
  'user-agent': 'payment-order-emulator',
  'webhook-id': 'msg_01a2007e16fb76878fd32ce38294cdf5_1',
  'webhook-timestamp': '1790000000',
  'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
}
let pool: Pool | undefined

async function run({ origin, connections, count }: PoolLoad): Promise<PoolEnd> {
  const sender = pool ?? new Pool(origin, { connections, headersTimeout: 0, bodyTimeout: 0 })
  pool = sender
  let sent = 0
  const drive = async () => {
    while (sent < count) {
      sent += 1
      const answer = await sender.request({ path: '/webhook', method: 'POST', headers, body })
      await answer.body.dump()
    }
  }
  const cpu = process.cpuUsage()
  const begun = performance.now()
  await Promise.all(Array.from({ length: connections }, drive))
  const seconds = (performance.now() - begun) / 1000
  const { user, system } = process.cpuUsage(cpu)
  return { perSecond: count / seconds, cpuMicros: (user + system) / count }
}

process.on('message', (load: PoolLoad) => void run(load).then((end) => process.send?.(end)))
process.once('disconnect', () => process.exit())
