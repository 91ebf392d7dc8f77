// `npm run bench:peers`: create calls of the emulator beside those of tools that a team might use in its place.

import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench } from '../frame/bench.ts'
import { figure } from '../frame/page.ts'
import type { Server } from '../frame/processes.ts'
import { runBench } from '../frame/run.ts'
import type { Section } from '../frame/section.ts'
import { median, ratios } from '../frame/statistics.ts'
import { create, type RequestShape } from '../load/requests.ts'
import { jsonServer } from './json-server.ts'
import { materialsOf } from './materials.ts'
import { mockoon } from './mockoon.ts'
import { mountebank } from './mountebank.ts'
import { prism } from './prism.ts'
import { versionOf } from './tool.ts'

const tools = [prism, mockoon, mountebank, jsonServer]
const rounds = 5
/** Some of the tools become faster for five seconds. */
const seconds = { warmUp: 6, measured: 2 }

/** In each round the emulator and every tool are started with fresh files, warmed up, measured and ended. */
const peers: Section = {
  name: 'peers',
  quick: true,
  async run(bench) {
    const materials = await materialsOf(bench)
    const own: number[] = []
    const others = new Map(tools.map((tool) => [tool, [] as number[]]))
    for (let round = 0; round < (bench.quick ? 1 : rounds); round++) {
      own.push(await createsPerSecond(bench, await bench.emulator(), create))
      for (const [tool, rates] of others) {
        bench.say(`${tool.package}, round ${round + 1}`)
        const folder = mkdtempSync(join(bench.folder, 'tool-'))
        rates.push(await createsPerSecond(bench, await tool.start(bench, folder, materials), tool.create))
      }
    }
    return [...others].map(([tool, rates]) => ({
      goal: tool.goal,
      values: ratios(own, rates),
      note: `${figure(median(own))}/s beside ${figure(median(rates))}/s of version ${versionOf(tool.package)}`,
    }))
  },
}

async function createsPerSecond(bench: Bench, server: Server, shape: RequestShape): Promise<number> {
  const send = async (count: number) => {
    const load = { shape, port: server.port, connections: 64, first: bench.newOrders(count), count }
    return (await bench.send(load)).perSecond
  }
  const end = performance.now() + seconds.warmUp * 1000
  let [count, rate] = [1, 0]
  // One tool may be a hundred times as slow as another, so each load is at most four times as large as the one before.
  while (performance.now() < end) {
    rate = await send(count)
    count = Math.ceil(Math.min(count * 4, rate / 2))
  }
  const measured = await send(Math.max(3, Math.ceil(rate * seconds.measured)))
  await server.stop()
  return measured
}

// For tools that report their use, or ask for updates.
Object.assign(process.env, { DO_NOT_TRACK: '1', NO_UPDATE_NOTIFIER: '1' })

process.exitCode = await runBench('npm run bench:peers', [peers], process.argv.slice(2))
