import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../../../src/cli/program.ts'
import { freePort } from '../../../tools/free-port.ts'
import { FakeTerminal } from '../../cli/fake-terminal.ts'
import { aFolder } from '../../support/folder.ts'

/** A shop that keeps its orders in a file, and releases one again if it finds it paid after a restart: it writes what
 *  it has released, and forgets to read it. */
const shop = `
import { createHmac } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
const { PAYMENT_ORDER_BASE_URL, PAYMENT_ORDER_CLIENT_ID, PAYMENT_ORDER_API_SECRET, PAYMENT_ORDER_ACCESS_TOKEN } = process.env
const clientId = PAYMENT_ORDER_CLIENT_ID
const kept = () => existsSync(process.env.KEPT) ? readFileSync(process.env.KEPT, 'utf8').split('\\n').filter(Boolean) : []
const keep = (line) => appendFileSync(process.env.KEPT, line + '\\n')
const released = new Set(process.env.CAREFUL ? kept().filter((line) => line.startsWith('released ')) : [])
const call = async (path, body, headers = {}) => {
  const answer = await fetch(PAYMENT_ORDER_BASE_URL + path, {
    method: body ? 'POST' : 'GET',
    headers: { 'access-token': PAYMENT_ORDER_ACCESS_TOKEN, 'content-type': 'application/json', ...headers },
    body: body && JSON.stringify(body),
  })
  return { ok: answer.ok, data: (await answer.json()).data }
}
const routes = {
  async orders() {
    const requestId = 'r' + process.pid + '-' + kept().length
    keep('created ' + requestId)
    const signature = createHmac('sha256', PAYMENT_ORDER_API_SECRET).update('fiatAmount=10.00&requestId=' + requestId).digest('base64')
    const body = { currencyId: 'usd_us', fiatAmount: '10.00', email: 'a@example.com', requestId, clientId }
    const { ok } = await call('/v1/client/checkout/create-order', body, { signature })
    return [ok ? 201 : 502, { requestId }]
  },
  async webhooks(text) {
    const { requestId } = JSON.parse(text)
    const { ok, data } = await call('/v1/client/orders?' + new URLSearchParams({ requestId, clientId }))
    if (!ok) return [503]
    const line = 'released ' + requestId
    if (data[0]?.orderStatus === 'COMPLETED' && !released.has(line)) {
      released.add(line)
      keep(line)
    }
    return [204]
  },
}
createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => { text += chunk }).on('end', async () => {
    const [, name, id] = request.url.split('/')
    if (name === 'order') {
      const parcels = kept().filter((line) => line === 'released ' + id).length
      response.writeHead(kept().includes('created ' + id) ? 200 : 404)
      response.end(JSON.stringify({ status: parcels > 0 ? 'paid' : 'open', parcels }))
      return
    }
    const [status, body] = (await routes[name]?.(text).catch(() => [500])) ?? [404]
    response.writeHead(status).end(body && JSON.stringify(body))
  })
}).listen(process.env.PORT)
`

/** Plays a story of a restart with a shop that this run starts. */
async function played(env: Readonly<Record<string, string>>) {
  const port = await freePort()
  const folder = aFolder()
  const url = `http://127.0.0.1:${port}`
  const config = {
    webhookUrl: `${url}/webhooks`,
    start: { url: `${url}/orders`, requestId: '/requestId' },
    probe: {
      url: `${url}/order/{requestId}`,
      status: '/status',
      statuses: { CREATED: 'open', COMPLETED: 'paid' },
      effects: '/parcels',
    },
    settle: '50ms',
    patience: '1s',
    polling: '50ms',
  }
  const [file, program, story] = ['conform.yaml', 'shop.mjs', 'story.yaml'].map((name) => join(folder, name))
  if (file === undefined || program === undefined || story === undefined) throw new Error('no files')
  writeFileSync(file, JSON.stringify(config))
  writeFileSync(program, shop)
  writeFileSync(story, 'promise: released-once\nacts: [create, pay, restart, repeat the webhook]\n')
  const kept = join(folder, 'orders.txt')
  const terminal = new FakeTerminal({ ...process.env, PORT: String(port), KEPT: kept, ...env })
  const argv = ['conform', file, '--story', story, '--times', '2', '--json', '--', process.execPath, program]
  const exitCode = await run(argv, terminal)
  return { exitCode, report: JSON.parse(terminal.output.join('\n')), err: terminal.errors.join('\n'), story }
}

test('a story restarts an application that this run has started, and the command that repeats it starts it again', async () => {
  const { exitCode, report, story } = await played({})
  expect(report).toMatchObject({
    problems: [],
    stories: [{ name: 'story', file: story, verdict: 'FAIL', broken: { did: 'released 2, paid 1' } }],
  })
  expect(report.stories[0].again).toMatch(/--story .*story\.yaml --times 2 --seed \w+ -- .*shop\.mjs$/)
  expect(exitCode).toBe(1)
})

test('one that remembers what it has released keeps its promises', async () => {
  const { exitCode, report } = await played({ CAREFUL: 'yes' })
  expect(report).toMatchObject({ ok: true, stories: [{ verdict: 'PASS', times: 2 }] })
  expect(exitCode).toBe(0)
})
