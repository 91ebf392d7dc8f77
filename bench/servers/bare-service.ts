// The least that a single-threaded program on this stack can do and keep the promises of orders and their webhooks: takes
// create calls, and sends two webhooks for each, the second five seconds after the first.

import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { Pool } from 'undici'
import { create } from '../load/requests.ts'
import { created, uuid, verified } from './bare-create.ts'
import { BareLives } from './bare-lives.ts'
import type { BareEnd } from './bare-outbox.ts'
import type { BareOrder } from './bare-store.ts'
import { body, post, signed } from './bare-webhook.ts'

const [port, file = '', receiver = ''] = process.argv.slice(2)
const origin = `http://127.0.0.1:${port}`
/** What the emulator gives to one origin. */
const connections = 16
const pool = new Pool(receiver, { connections, headersTimeout: 0, bodyTimeout: 0 })
const lives = new BareLives(file)
const app = new Hono()

/** As long after the last of its work the log is moved into the file. */
const restAfterMs = 500

let free = connections
let waiting: { readonly order: BareOrder; readonly resolve: () => void }[] = []
let ended: BareEnd[] = []
let isPlanned = false
let timer: NodeJS.Timeout | undefined
const resting = setTimeout(() => lives.rest(), restAfterMs)

/** All that comes in one turn of the event loop shares a transaction. */
function plan(): void {
  if (isPlanned) return
  isPlanned = true
  setImmediate(turn)
}

function turn(): void {
  isPlanned = false
  const answered = waiting
  const nowMs = Date.now()
  free += ended.length
  const claimed = lives.turn({ nowMs, created: answered.map(({ order }) => order), ended, free }, body)
  free -= claimed.length
  waiting = []
  ended = []
  for (const { resolve } of answered) resolve()
  for (const { seq, id } of claimed) {
    const headers = signed(id)
    const begun = performance.now()
    post(pool, headers, (status) => {
      ended.push({ seq, status, ms: performance.now() - begun, headers })
      plan()
    })
  }
  wakeForNext()
  resting.refresh()
}

function wakeForNext(): void {
  clearTimeout(timer)
  const at = lives.nextDueAt()
  if (at !== null) timer = setTimeout(plan, Math.max(1, at - Date.now()))
}

app.post(create.path, async (c) => {
  const request = await verified(c)
  const nowMs = Date.now()
  const order = { orderId: uuid(nowMs), token: uuid(nowMs), nowMs, request }
  await new Promise<void>((resolve) => {
    waiting.push({ order, resolve })
    plan()
  })
  return c.json(created(request, order.token, nowMs, origin))
})

process.once('disconnect', () => process.exit())
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(port) })
