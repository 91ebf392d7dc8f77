// What webhooks are measured against: a bare pool of undici, as many connections as the emulator gives an origin. And the
// rungs between that and a webhook of the emulator's, each doing one thing more than the one below; the last is the least
// that a single-threaded program on this stack can do and keep the promises of a webhook.

import { Pool } from 'undici'
import type { PoolEnd, PoolLoad } from '../webhooks/bare-pool.ts'
import { type BareEnd, BareOutbox } from './bare-outbox.ts'
import { body, path, plain, post, signed } from './bare-webhook.ts'

const [file = ''] = process.argv.slice(2)
let pool: Pool | undefined
let outbox: BareOutbox | undefined

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
