import type { Bench } from '../frame/bench.ts'
import { control, demoClient } from '../frame/control.ts'
import type { Server } from '../frame/processes.ts'
import type { Section } from '../frame/section.ts'
import { median } from '../frame/statistics.ts'
import { Receiver } from '../load/receiver.ts'
import { create, lookup } from '../load/requests.ts'

const count = 1_000
const [rounds, warmUp] = [15, 10]

/** Orders run end to end: created, moved on by one advance, their webhooks delivered and recorded, looked up. */
export const lives: Section = {
  name: 'lives',
  async run(bench) {
    const receiver = await Receiver.start(bench)
    const emulator = await bench.emulator({ webhookUrl: receiver.url })
    const [values, advances]: [number[], number[]] = [[], []]
    for (let round = -warmUp; round < rounds; round++) {
      const [, took] = await Promise.all([receiver.expect(2 * count), endToEnd(bench, emulator)])
      if (round < 0) continue
      values.push(count / took.seconds)
      advances.push(took.advanceMs)
    }
    const note = `the advance alone takes ${Math.round(median(advances))} ms`
    return [{ goal: '1,000 orders, their whole lifecycle in one advance', values, note }]
  },
}

async function endToEnd(bench: Bench, emulator: Server): Promise<{ seconds: number; advanceMs: number }> {
  const load = { port: emulator.port, connections: 64, first: bench.newOrders(count), count }
  const created = await bench.send({ ...load, shape: create })
  const begun = performance.now()
  await control(emulator, 'POST', `/clock/advance?clientId=${demoClient}`, { by: '10m' })
  const advanceMs = performance.now() - begun
  const found = await bench.send({ ...load, shape: lookup })
  const seconds = count / created.perSecond + advanceMs / 1000 + count / found.perSecond
  return { seconds, advanceMs }
}
