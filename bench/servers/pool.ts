// What webhooks are measured against: a bare pool of undici, as many connections as the emulator gives an origin. And the
// rungs between that and a webhook of the emulator's, each doing one thing more than the one below; the last is the least
// that a single-threaded program on this stack can do and keep the promises of a webhook.

import { Pool } from 'undici'
import { hmacUnder } from '../../src/domain/hmac.ts'
import type { PoolEnd, PoolLoad } from '../webhooks/bare-pool.ts'
import { type BareEnd, BareOutbox } from './bare-outbox.ts'

const [file = ''] = process.argv.slice(2)
/** About as long as a webhook. */
const body = JSON.stringify({ eventType: 'BUY', orderStatus: 'CREATED', filling: 'x'.repeat(600) })
const path = '/webhook'
const plain = {
  'content-type': 'application/json',
  'user-agent': 'payment-order-emulator',
  'webhook-id': 'msg_01a2007e16fb76878fd32ce38294cdf5_1',
  'webhook-timestamp': '1790000000',
  'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
}
const hmac = hmacUnder(Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64'))
let pool: Pool | undefined
let outbox: BareOutbox | undefined

function signed(id: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = `v1,${hmac(`${id}.${timestamp}.${body}`)}`
  return { ...plain, 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
}

/** Sends a POST without the streams of undici's `request`, as the emulator does. */
function post(sender: Pool, headers: Record<string, string>, onEnd: (status: number) => void): void {
  let status = 0
  const handler = {
    onRequestStart() {},
    onResponseStart(_: unknown, code: number) {
      status = code
    },
    onResponseData() {},
    onResponseEnd: () => onEnd(status),
    onResponseError(_: unknown, error: Error) {
      throw error
    },
  }
  sender.dispatch({ path, method: 'POST', headers, body }, handler)
}

/** Calls `send` for each, as often at once as there are connections. */
const drive = ({ connections, count }: PoolLoad, send: () => Promise<void>): Promise<unknown> => {
  let sent = 0
  const one = async () => {
    while (sent < count) {
      sent += 1
      await send()
    }
  }
  return Promise.all(Array.from({ length: connections }, one))
}

const sends = (sender: Pool, load: PoolLoad) =>
  drive(load, async () => {
    const answer = await sender.request({ path, method: 'POST', headers: plain, body })
    await answer.body.dump()
  })

const signs = (sender: Pool, load: PoolLoad) =>
  drive(load, () => new Promise((resolve) => post(sender, signed(plain['webhook-id']), () => resolve())))

function records(sender: Pool, { origin, connections, count }: PoolLoad, kept: BareOutbox): Promise<void> {
  return new Promise((resolve) => {
    let free = connections
    let left = count
    let ended: BareEnd[] = []
    const turn = () => {
      const claimed = kept.turn(ended, `${origin}${path}`, Date.now(), free)
      free -= claimed.length
      left -= ended.length
      ended = []
      for (const { seq, id } of claimed) {
        const headers = signed(id)
        const begun = performance.now()
        post(sender, headers, (status) => {
          free += 1
          if (ended.push({ seq, status, ms: performance.now() - begun, headers }) === 1) setImmediate(turn)
        })
      }
      if (left === 0) resolve()
    }
    turn()
  })
}

async function run(load: PoolLoad): Promise<PoolEnd> {
  const { origin, connections, count, does } = load
  pool ??= new Pool(origin, { connections, headersTimeout: 0, bodyTimeout: 0 })
  outbox ??= new BareOutbox(file)
  if (does === 'records') outbox.fill(count, Date.now(), body)
  const cpu = process.cpuUsage()
  const begun = performance.now()
  if (does === 'records') await records(pool, load, outbox)
  else if (does === 'signs') await signs(pool, load)
  else await sends(pool, load)
  const seconds = (performance.now() - begun) / 1000
  const { user, system } = process.cpuUsage(cpu)
  return { perSecond: count / seconds, cpuMicros: (user + system) / count }
}

process.on('message', (load: PoolLoad) => void run(load).then((end) => process.send?.(end)))
process.once('disconnect', () => process.exit())
