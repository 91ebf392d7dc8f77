import { spawn } from 'node:child_process'
import { createHmac, randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'

const kills = 30
const program = join(import.meta.dirname, '../../dist/cli.js')

interface Arrival {
  readonly id: string
  readonly body: string
  readonly requestId: string
  readonly orderStatus: string
}

/** The judge: what really arrived, in the order of arrival, and when somebody waits for more. */
async function aReceiver() {
  const arrivals: Arrival[] = []
  const seen = new Set<string>()
  let onArrival = () => {}
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      const { requestId, orderStatus } = JSON.parse(body)
      arrivals.push({ id: String(request.headers['webhook-id']), body, requestId, orderStatus })
      seen.add(`${requestId} ${orderStatus}`)
      response.end()
      onArrival()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`
  const until = (done: () => boolean) =>
    new Promise<void>((resolve) => {
      onArrival = () => done() && resolve()
      onArrival()
    })
  return { arrivals, seen, url, until }
}

/** The built program on a file, with a clock on which an order's whole life takes a tenth of a second. */
async function start(database: string, webhookUrl: string) {
  const child = spawn(
    process.execPath,
    [
      program,
      'serve',
      '--port',
      '0',
      '--log',
      'json',
      '--clock',
      '60x',
      '--database',
      database,
      '--webhook-url',
      webhookUrl,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  onTestFinished(() => void child.kill('SIGKILL'))
  for await (const line of createInterface({ input: child.stdout })) {
    const event = JSON.parse(line)
    if (event.event !== 'ready') continue
    child.stdout.resume()
    return { child, exited, url: String(event.url) }
  }
  throw new Error('the program ended before it was ready')
}

async function create(url: string, requestId: string): Promise<boolean> {
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
  const answer = await fetch(`${url}/v1/client/checkout/create-order`, {
    method: 'POST',
    headers: { 'access-token': 'demo-token', 'content-type': 'application/json', signature },
    body: JSON.stringify(body),
  }).catch(() => null)
  return answer?.status === 200
}

test(`after ${kills} kills in a row nothing that was acknowledged is lost, and only what was in flight is repeated`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kill-nine-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const database = join(folder, 'emulator.db')
  const { arrivals, seen, url: webhookUrl, until } = await aReceiver()
  const acknowledged: string[] = []
  let asked = 0

  for (let kill = 0; kill < kills; kill++) {
    const { child, exited, url } = await start(database, webhookUrl)
    const loop = async () => {
      while (child.exitCode === null && child.signalCode === null) {
        const requestId = `r-${asked++}`
        if (await create(url, requestId)) acknowledged.push(requestId)
      }
    }
    const loops = [loop(), loop(), loop(), loop()]
    await pause(randomInt(20, 250))
    child.kill('SIGKILL')
    await exited
    await Promise.all(loops)
  }

  const { child, exited } = await start(database, webhookUrl)
  await until(() => acknowledged.every((requestId) => seen.has(`${requestId} COMPLETED`)))
  child.kill('SIGTERM')
  await exited

  const bodies = new Map<string, string>()
  const first = new Map<string, number>()
  let repeated = 0
  for (const [index, { id, body, requestId, orderStatus }] of arrivals.entries()) {
    if (bodies.has(id)) repeated += 1
    expect(bodies.get(id) ?? body, 'a repeat has the same bytes').toBe(body)
    bodies.set(id, body)
    const key = `${requestId} ${orderStatus}`
    if (!first.has(key)) first.set(key, index)
  }
  const lost = acknowledged.filter(
    (requestId) => !first.has(`${requestId} CREATED`) || !first.has(`${requestId} COMPLETED`),
  )
  const inverted = acknowledged.filter(
    (requestId) => (first.get(`${requestId} CREATED`) ?? 0) > (first.get(`${requestId} COMPLETED`) ?? 0),
  )
  console.log({
    kills,
    acknowledged: acknowledged.length,
    arrivals: arrivals.length,
    lost: lost.length,
    repeated,
    inverted: inverted.length,
  })
  expect(acknowledged.length).toBeGreaterThan(kills)
  expect(lost).toEqual([])
  expect(inverted).toEqual([])
  expect(seen.size, 'one event, one id').toBe(bodies.size)
  expect(repeated, 'at most what was in flight at each kill').toBeLessThanOrEqual(kills * 16)
})
