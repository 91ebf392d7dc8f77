import { setTimeout as pause } from 'node:timers/promises'
import type { Bench, Stored } from '../frame/bench.ts'
import { control, demoClient } from '../frame/control.ts'
import type { Section } from '../frame/section.ts'
import { Receiver } from '../load/receiver.ts'

/** A database with a million orders, each with a step and a webhook that are due tomorrow. */
export interface Million {
  readonly database: string
  readonly stored: Stored
  /** Resident memory of the program that made it, before the first order and after the last one. */
  readonly idleMb: number
  readonly loadedMb: number
}

const orders = 1_000_000

/** Until the program has given back what it needed to start. */
const settleMs = 5_000

const made = new WeakMap<Bench, Promise<Million>>()

/** Makes the million by create calls, once for all sections of a run. */
export function million(bench: Bench): Promise<Million> {
  const promise = made.get(bench) ?? make(bench)
  made.set(bench, promise)
  return promise
}

async function make(bench: Bench): Promise<Million> {
  const database = bench.newDatabase()
  const { url: webhookUrl } = await Receiver.start(bench)
  const emulator = await bench.emulator({ database, webhookUrl, clock: 'real' })
  await control(emulator, 'PATCH', `/clients/${demoClient}`, { defaultScenario: 'tomorrow' })
  await pause(settleMs)
  const idleMb = emulator.residentMb()
  bench.say('makes a million orders')
  const stored = await bench.store(emulator, orders)
  const loadedMb = emulator.residentMb()
  await emulator.stop()
  return { database, stored, idleMb, loadedMb }
}

/** Resident memory of the program, idle and after a million create calls. */
export const memory: Section = {
  name: 'memory',
  async run(bench) {
    const { idleMb, loadedMb } = await million(bench)
    return [
      { goal: 'memory, idle', values: [idleMb] },
      { goal: 'memory after a million creates', values: [loadedMb] },
    ]
  },
}
