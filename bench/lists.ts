import { setTimeout as pause } from 'node:timers/promises'
import { enlarge } from './big-world.ts'
import type { Bench } from './frame/bench.ts'
import type { Result, Section } from './frame/section.ts'
import { median, spread } from './frame/statistics.ts'

const [orders, clients, rounds] = [100_000, 1_000, 7]
/** Scenarios of the orders that are copied, one of which fails. */
const scenarios = [...Array(49).fill('happy'), 'fail-9004']

/** What is asked for: a name and a path. */
type Question = readonly [name: string, path: string]

/** How soon lists answer, and how long another call waits beside them, in a file with 100,000 orders. */
export const lists: Section = {
  name: 'lists',
  goal: null,
  runs: 'asked',
  async run(bench) {
    const database = bench.newDatabase()
    bench.say(`makes ${orders} orders of ${clients} clients`)
    await makeSample(bench, database)
    enlarge(database, orders, clients)
    const { url } = await bench.emulator({ database })
    const deep = await cursorAfter(url, 1_000)
    const results: Result[] = []
    for (const [name, path] of questions(deep)) results.push(await measured(name, `${url}/_emulator${path}`))
    return results
  },
}

const questions = (deep: string): Question[] => [
  // Its longest answer is the first one since the start, which loads the pages.
  ['dashboard, orders', '/'],
  ['dashboard, orders, page 1,000', `/?cursor=${deep}`],
  ['dashboard, orders of a status', '/?status=FAILED'],
  ['dashboard, webhooks', '/ui/deliveries'],
  ['dashboard, requests', '/ui/requests'],
  ['orders, newest', '/orders?order=newest&limit=50'],
  ['orders, oldest', '/orders?limit=50'],
  ['orders, page 1,000', `/orders?order=newest&limit=50&cursor=${deep}`],
  ['orders of a client with half of them', '/orders?order=newest&limit=50&clientId=demo-client'],
  ['orders of a client with fifty', '/orders?order=newest&limit=50&clientId=client-5'],
  ['orders, frequent status', '/orders?order=newest&limit=50&status=COMPLETED'],
  ['orders, status of two', '/orders?order=newest&limit=50&status=FAILED'],
  ['orders, status of none', '/orders?order=newest&limit=50&status=EXPIRED'],
  ['orders, requestId without a hit', '/orders?order=newest&limit=50&requestId=none'],
  ['orders, requestId prefix without a hit', '/orders?order=newest&limit=50&requestId=none*'],
  ['orders, requestId prefix', '/orders?order=newest&limit=50&requestId=r7-1*'],
  ['orders, e-mail prefix', '/orders?order=newest&limit=50&email=buyer4321*'],
  ['orders, scenario', '/orders?order=newest&limit=50&scenario.id=fail-9004'],
  ['orders, e-mail of a client', '/orders?order=newest&limit=50&clientId=demo-client&email=buyer4321*'],
  ['orders, search', '/orders?order=newest&limit=50&search=UYER4321'],
  ['orders, search without a hit', '/orders?order=newest&limit=50&search=nowhere'],
  ['orders, search without a hit, not ASCII', '/orders?order=newest&limit=50&search=%C3%89t%C3%A9'],
  ['deliveries, newest', '/deliveries?order=newest&limit=50'],
  ['deliveries of a client with half of them', '/deliveries?order=newest&limit=50&clientId=demo-client'],
  ['deliveries of a client with fifty orders', '/deliveries?order=newest&limit=50&clientId=client-5'],
  ['deliveries, status', '/deliveries?order=newest&limit=50&status=delivered'],
  ['deliveries, status of none', '/deliveries?order=newest&limit=50&status=held'],
  ['deliveries, orderStatus', '/deliveries?order=newest&limit=50&orderStatus=COMPLETED'],
  ['deliveries, rare orderStatus', '/deliveries?order=newest&limit=50&orderStatus=EXPIRED'],
  ['deliveries, outcome', '/deliveries?order=newest&limit=50&outcome=accepted'],
  ['deliveries, outcome of none', '/deliveries?order=newest&limit=50&outcome=timeout'],
  ['deliveries, search without a hit', '/deliveries?order=newest&limit=50&search=nowhere'],
  ['requests, newest', '/requests?order=newest&limit=50'],
  ['requests, status of none', '/requests?order=newest&limit=50&status=418'],
  ['requests, search without a hit', '/requests?order=newest&limit=50&search=nowhere'],
  ['clients', '/clients?limit=1000'],
  ['users of a client with half of the orders', '/users?limit=50&clientId=demo-client'],
  ['users', '/users?limit=50'],
  ['metrics', '/metrics'],
]

/** Asks the same several times, each time with a look at how long a short call takes beside it. */
async function measured(name: string, url: string): Promise<Result> {
  const times: number[] = []
  let blocked = 0
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now()
    const answer = fetch(url).then(async (response) => ({ ok: response.ok, text: await response.text() }))
    const ended = answer.then(() => true)
    while (!(await Promise.race([ended, pause(2, false)]))) blocked = Math.max(blocked, await healthMs(url))
    const { ok, text } = await answer
    if (!ok) throw new Error(`${url}: ${text}`)
    times.push(performance.now() - begun)
  }
  const note = `longest ${Math.max(...times).toFixed(1)}, others wait ${blocked.toFixed(1)}`
  return { name, value: median(times), unit: 'ms', spread: spread(times), note }
}

async function healthMs(url: string): Promise<number> {
  const begun = performance.now()
  await (await fetch(new URL('/_emulator/health', url))).text()
  return performance.now() - begun
}

/** Reads so many pages. */
async function cursorAfter(url: string, pages: number): Promise<string> {
  let cursor = ''
  for (let page = 0; page < pages; page++) {
    const answer = await fetch(
      `${url}/_emulator/orders?order=newest&limit=50${cursor && `&cursor=${cursor}`}`,
    )
    cursor = JSON.parse(await answer.text()).next
  }
  return cursor
}

/** A database of a few orders that have come to their end, with the attempts of their webhooks. */
async function makeSample(bench: Bench, database: string): Promise<void> {
  const receiver = await bench.receiver()
  const emulator = await bench.emulator({ database, webhookUrl: `${receiver.url}/` })
  for (const [place, scenario] of scenarios.entries())
    await post(`${emulator.url}/_emulator/orders?clientId=demo-client`, { requestId: `r${place}`, scenario })
  await post(`${emulator.url}/_emulator/clock/advance?clientId=demo-client`, { by: '1h' })
  await emulator.stop()
}

async function post(url: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(await response.text())
}
