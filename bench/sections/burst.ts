import { type Bench, programFile } from '../frame/bench.ts'
import { control, demoClient } from '../frame/control.ts'
import { figure } from '../frame/page.ts'
import { ask, type Server } from '../frame/processes.ts'
import type { Section } from '../frame/section.ts'
import { median, ratios } from '../frame/statistics.ts'
import { Receiver } from '../load/receiver.ts'

/** As many as the emulator gives one origin. */
const connections = 16
const [rounds, count] = [5, 10_000]

/** Thousands of webhooks that become due at once, signed and recorded, beside a bare Pool of undici that sends as many
 *  POSTs to the same receiver. */
export const burst: Section = {
  name: 'burst',
  async run(bench) {
    const receiver = await Receiver.start(bench)
    const words = [programFile('pool'), receiver.origin, String(connections)]
    const pool = bench.processes.start([process.execPath, ...words], 'server')
    const emulator = await bench.emulator({ webhookUrl: receiver.url })
    const [bare, own]: [number[], number[]] = [[], []]
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      const [, perSecond] = await Promise.all([receiver.expect(count), ask<number>(pool, count)])
      bare.push(perSecond)
      own.push(await oneBurst(bench, emulator, receiver))
    }
    const [bareRates, ownRates] = [bare.slice(1), own.slice(1)]
    const note = `${figure(median(ownRates))}/s beside ${figure(median(bareRates))}/s`
    return [{ goal: 'burst of webhooks', values: ratios(ownRates, bareRates), note }]
  },
}

/** @returns webhooks per second */
async function oneBurst(bench: Bench, emulator: Server, receiver: Receiver): Promise<number> {
  // A 410 pauses the URL, so that all webhooks after the first gather.
  await Promise.all([receiver.expect(1, 410), bench.store(emulator, 1)])
  await bench.store(emulator, count - 1)
  await emulator.settle()
  const [{ moments }] = await Promise.all([
    receiver.expect(count - 1),
    control(emulator, 'PATCH', `/clients/${demoClient}`, { webhookUrl: receiver.url }),
  ])
  const seconds = ((moments.at(-1) ?? Number.NaN) - (moments[0] ?? Number.NaN)) / 1000
  await emulator.settle()
  return (count - 2) / seconds
}
