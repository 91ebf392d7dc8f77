import { compare } from './frame/comparison.ts'
import type { Section } from './frame/section.ts'
import { hello, lookup as shape } from './load/requests.ts'

const beside = 'Hono hello'

/** How near a lookup by requestId comes to a server that only says hello. */
export const lookup: Section = {
  name: 'lookup',
  goal: 2,
  runs: 'always',
  async run(bench) {
    const hono = await bench.program('hono')
    const few = await bench.emulator()
    const many = await bench.emulator()
    bench.say('makes orders to be looked up')
    const thousand = await bench.store(few, 1_000)
    const hundredThousand = await bench.store(many, 100_000)
    return compare(bench, [
      { name: beside, server: hono, shape: hello },
      {
        ...{ name: 'lookup among 1,000 orders', server: few, shape, stored: thousand, beside },
        goal: { aim: 0.5, better: 'higher' },
      },
      {
        ...{ name: 'lookup among 100,000 orders', server: many, shape, stored: hundredThousand, beside },
        goal: { aim: 0.45, better: 'higher' },
      },
    ])
  },
}
