import type { Bench } from '../frame/bench.ts'
import { control, demoClient } from '../frame/control.ts'
import type { Server } from '../frame/processes.ts'
import { interleave, rateBeside } from '../frame/rounds.ts'
import type { Section } from '../frame/section.ts'
import { Receiver } from '../load/receiver.ts'
import { create, lookup } from '../load/requests.ts'
import { million } from './million.ts'

const few = 1_000

/** In each round, so that the small database stays small. */
const creates = 5_000

/** The remaining speed with a million orders, each with a pending step and webhook. */
export const growth: Section = {
  name: 'growth',
  async run(bench) {
    const { database, stored } = await million(bench)
    const { url: webhookUrl } = await Receiver.start(bench)
    const large = await bench.emulator({ database, webhookUrl, clock: 'real' })
    const small = await bench.emulator({ webhookUrl, clock: 'real' })
    const lookups = await interleave(bench, {
      small: { server: small, shape: lookup, stored: await emptied(bench, small) },
      large: { server: large, shape: lookup, stored },
    })
    const made = await interleave(bench, {
      small: {
        ...{ server: small, shape: create, count: creates },
        before: async () => void (await emptied(bench, small)),
      },
      large: { server: large, shape: create, count: creates },
    })
    return [
      { goal: 'create among a million orders', ...rateBeside(made.large, made.small) },
      { goal: 'lookup among a million orders', ...rateBeside(lookups.large, lookups.small) },
    ]
  },
}

/** Back to a thousand orders. */
async function emptied(bench: Bench, server: Server) {
  await control(server, 'POST', '/reset', {})
  await control(server, 'PATCH', `/clients/${demoClient}`, { defaultScenario: 'tomorrow' })
  return bench.store(server, few)
}
