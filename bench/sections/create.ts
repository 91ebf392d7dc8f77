import { interleave, rateBeside } from '../frame/rounds.ts'
import type { Figure, Section } from '../frame/section.ts'
import { median, ratios } from '../frame/statistics.ts'
import { echo, create as shape } from '../load/requests.ts'

/** Create calls beside a server that only sends the body back. */
export const create: Section = {
  name: 'create',
  quick: true,
  async run(bench) {
    const hono = await bench.hono()
    const file = await bench.emulator()
    const memory = await bench.emulator({ database: ':memory:' })
    const many = await interleave(bench, {
      echo: { server: hono, shape: echo },
      file: { server: file, shape },
      memory: { server: memory, shape },
    })
    const figures: Figure[] = [
      { goal: 'create, in a file', ...rateBeside(many.file, many.echo) },
      { goal: 'create, in memory', ...rateBeside(many.memory, many.echo) },
    ]
    if (bench.quick) return figures
    const one = await interleave(bench, {
      echo: { server: hono, shape: echo, connections: 1 },
      file: { server: file, shape, connections: 1 },
    })
    const own = one.file.map(({ p50Ms }) => p50Ms)
    const echoed = one.echo.map(({ p50Ms }) => p50Ms)
    const note = `${median(own).toFixed(3)} ms beside ${median(echoed).toFixed(3)} ms`
    return [...figures, { goal: 'create, one connection, p50', values: ratios(own, echoed), note }]
  },
}
