import { interleave, rateBeside } from '../frame/rounds.ts'
import type { Section } from '../frame/section.ts'
import { hello, lookup as shape } from '../load/requests.ts'

/** Lookups by requestId beside a server that only says hello. */
export const lookup: Section = {
  name: 'lookup',
  quick: true,
  async run(bench) {
    const hono = await bench.hono()
    const few = await bench.emulator()
    const many = await bench.emulator()
    const contenders = {
      hello: { server: hono, shape: hello },
      few: { server: few, shape, stored: await bench.store(few, 1_000) },
      many: { server: many, shape, stored: await bench.store(many, 100_000) },
    }
    const rounds = await interleave(bench, contenders)
    return [
      { goal: 'lookup among 1,000 orders', ...rateBeside(rounds.few, rounds.hello) },
      { goal: 'lookup among 100,000 orders', ...rateBeside(rounds.many, rounds.hello) },
    ]
  },
}
