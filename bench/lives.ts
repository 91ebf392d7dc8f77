import type { Bench } from './frame/bench.ts'
import type { Result, Section } from './frame/section.ts'
import type { Server } from './frame/server.ts'
import { median, spread } from './frame/statistics.ts'
import { create, lookup } from './load/requests.ts'
import { control, demoClient } from './webhooks/control.ts'
import { Receiver } from './webhooks/receiver.ts'

/** The compiler settles within a dozen rounds. */
const many = { orders: 1_000, rounds: 27, warmUp: 12 }
const one = { rounds: 200, warmUp: 100 }
/** To CREATED and to COMPLETED. */
const webhooksEach = 2
/** Beyond the last step of the scenario that orders get. */
const aLife = '10m'

/** Whole lives on a clock that stands still: created, moved on, webhooks delivered and recorded, looked up. */
export const lives: Section = {
  name: 'lives',
  goal: 5,
  runs: 'full',
  async run(bench) {
    const receiver = await Receiver.start(bench)
    const emulator = await bench.emulator({ webhookUrl: `${receiver.url}/webhook` })
    const results = [await together(bench, emulator, receiver), await alone(bench, emulator, receiver)]
    await emulator.stop()
    return results
  },
}

/** A thousand orders whose lives go on in one advance. */
async function together(bench: Bench, emulator: Server, receiver: Receiver): Promise<Result> {
  const { orders: count, rounds, warmUp } = many
  const seconds: number[] = []
  const advances: number[] = []
  for (let round = -warmUp; round < rounds; round++) {
    bench.say(`lives of ${count} orders, round ${round} of ${rounds}`)
    const load = { port: emulator.port, connections: 64, first: bench.newOrders(count), count }
    const arrived = receiver.expect(count * webhooksEach)
    const created = await bench.send({ ...load, shape: create })
    const begun = performance.now()
    await control(emulator, 'POST', `/clock/advance?clientId=${demoClient}`, { by: aLife })
    const advanceSeconds = (performance.now() - begun) / 1000
    await arrived
    const found = await bench.send({ ...load, shape: lookup })
    if (round < 0) continue
    advances.push(advanceSeconds)
    seconds.push(count / created.perSecond + advanceSeconds + count / found.perSecond)
  }
  const perSecond = seconds.map((each) => count / each)
  return {
    name: `lives of ${count} orders, one advance`,
    value: median(perSecond),
    unit: 'lives/s',
    spread: spread(perSecond),
    goal: { aim: 3_000, better: 'higher', timed: true },
    note: `all in ${Math.round(median(seconds) * 1000)} ms, of which the advance ${Math.round(median(advances) * 1000)}`,
  }
}

/** One order, from its create call to the arrival of its last webhook. */
async function alone(bench: Bench, emulator: Server, receiver: Receiver): Promise<Result> {
  const ms: number[] = []
  bench.say('the life of one order')
  for (let round = -one.warmUp; round < one.rounds; round++) {
    const load = { port: emulator.port, connections: 1, first: bench.newOrders(1), count: 1 }
    const arrived = receiver.expect(webhooksEach)
    const created = await bench.send({ ...load, shape: create })
    const begun = performance.now()
    await control(emulator, 'POST', `/clock/advance?clientId=${demoClient}`, { by: aLife })
    const advanceMs = performance.now() - begun
    await arrived
    // The advance ends when the last webhook has been answered and that is on record.
    if (round >= 0) ms.push(created.p50Ms + advanceMs)
  }
  return {
    name: 'life of one order, create to last webhook',
    value: median(ms),
    unit: 'ms',
    spread: spread(ms),
    goal: { aim: 15, better: 'lower', timed: true },
  }
}
