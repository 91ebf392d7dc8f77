import { compare } from './frame/comparison.ts'
import type { Section } from './frame/section.ts'
import { echo, hello } from './load/requests.ts'

/** What the stack can do at all, on this machine. */
export const ceilings: Section = {
  name: 'ceilings',
  goal: null,
  runs: 'full',
  async run(bench) {
    const raw = await bench.program('raw')
    const hono = await bench.program('hono')
    return compare(bench, [
      { name: 'node http, hello', server: raw, shape: hello },
      { name: 'Hono hello', server: hono, shape: hello },
      { name: 'Hono echo', server: hono, shape: echo },
    ])
  },
}
