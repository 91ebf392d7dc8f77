import type { Bench } from '../frame/bench.ts'
import { control, demoClient } from '../frame/control.ts'
import type { Server } from '../frame/processes.ts'
import type { Section } from '../frame/section.ts'
import { median } from '../frame/statistics.ts'

const [orders, laterAnswers] = [100_000, 7]

/** How soon lists and the dashboard's overview answer among 100,000 orders: the slowest of them counts. */
export const lists: Section = {
  name: 'lists',
  async run(bench) {
    const database = bench.newDatabase()
    await fill(bench, database)
    const emulator = await bench.emulator({ database })
    const asked: { name: string; firstMs: number; laterMs: number }[] = []
    for (const [name, path] of questions) {
      const firstMs = await timeOf(emulator, path)
      const later: number[] = []
      for (let n = 0; n < laterAnswers; n++) later.push(await timeOf(emulator, path))
      asked.push({ name, firstMs, laterMs: median(later) })
    }
    const slowest = (by: 'firstMs' | 'laterMs') => asked.toSorted((a, b) => b[by] - a[by]).slice(0, 3)
    const figure = (by: 'firstMs' | 'laterMs') => ({
      values: slowest(by)
        .slice(0, 1)
        .map((each) => each[by]),
      note: slowest(by)
        .map((each) => `${each.name} ${each[by].toFixed(0)} ms`)
        .join('; '),
    })
    return [
      { goal: 'list of 100,000 orders, first answer', ...figure('firstMs') },
      { goal: 'list of 100,000 orders, later answers', ...figure('laterMs') },
    ]
  },
}

/** Each at most 50 things, as pages show them. */
const questions: readonly (readonly [name: string, path: string])[] = [
  ['dashboard, overview', '/'],
  ['dashboard, orders', '/ui/orders'],
  ['dashboard, orders of a rare status', '/ui/orders?status=FAILED'],
  ['dashboard, webhooks', '/ui/deliveries'],
  ['dashboard, requests', '/ui/requests'],
  ['orders, newest', '/orders?order=newest&limit=50'],
  ['orders, oldest', '/orders?limit=50'],
  ['orders, frequent status', '/orders?order=newest&limit=50&status=COMPLETED'],
  ['orders, status that none has', '/orders?order=newest&limit=50&status=EXPIRED'],
  ['orders, requestId that none has', '/orders?order=newest&limit=50&requestId=none'],
  ['orders, beginning of an e-mail that none has', '/orders?order=newest&limit=50&email=nobody*'],
  ['orders, text that none has', '/orders?order=newest&limit=50&search=nowhere'],
  ['orders, text beyond ASCII that none has', '/orders?order=newest&limit=50&search=%C3%89t%C3%A9'],
  ['webhooks, newest', '/deliveries?order=newest&limit=50'],
  ['webhooks, outcome that none has', '/deliveries?order=newest&limit=50&outcome=timeout'],
  ['webhooks, text that none has', '/deliveries?order=newest&limit=50&search=nowhere'],
  ['requests, text that none has', '/requests?order=newest&limit=50&search=nowhere'],
  ['users', '/users?limit=50'],
]

/** Orders that have come to their end, one of which failed. */
async function fill(bench: Bench, database: string): Promise<void> {
  const emulator = await bench.emulator({ database })
  await control(emulator, 'POST', `/orders?clientId=${demoClient}`, { scenario: 'fail-9004' })
  await bench.store(emulator, orders)
  await control(emulator, 'POST', `/clock/advance?clientId=${demoClient}`, { by: '10m' })
  await emulator.stop()
}

async function timeOf(emulator: Server, path: string): Promise<number> {
  const begun = performance.now()
  await control(emulator, 'GET', path)
  return performance.now() - begun
}
