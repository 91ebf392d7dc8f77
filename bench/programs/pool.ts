// Webhooks are measured beside this: a bare Pool of undici with as many connections as the emulator gives an origin.

import { Pool } from 'undici'

/** About as long as a webhook's. */
const body = JSON.stringify({ eventType: 'BUY', orderStatus: 'CREATED', filling: 'x'.repeat(600) })
const headers = {
  'content-type': 'application/json',
  'user-agent': 'payment-order-emulator',
  'webhook-id': 'msg_01a2007e16fb76878fd32ce38294cdf5_1',
  'webhook-timestamp': '1790000000',
  'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
}

const [origin = '', connections = '1'] = process.argv.slice(2)
const pool = new Pool(origin, { connections: Number(connections) })

/** @returns POSTs per second */
async function send(count: number): Promise<number> {
  let sent = 0
  const drive = async () => {
    while (sent++ < count) {
      const answer = await pool.request({ path: '/webhook', method: 'POST', headers, body })
      await answer.body.dump()
    }
  }
  const begun = performance.now()
  await Promise.all(Array.from({ length: Number(connections) }, drive))
  return count / ((performance.now() - begun) / 1000)
}

process.on('message', (count: number) => void send(count).then((perSecond) => process.send?.(perSecond)))
process.once('disconnect', () => process.exit())
