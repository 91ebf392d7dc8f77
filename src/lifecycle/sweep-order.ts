import { readFileSync } from 'node:fs'
import * as z from 'zod'
import type { Behaviour } from '../domain/sweep/behaviour.ts'
import { behaviours } from '../domain/sweep/behaviours.ts'
import type { SweepOrder } from '../domain/sweep/sweep-order.ts'

/** The variable that names a file with an order: `{ "behaviours": ["webhook-twice"], "record": "/tmp/run-3", "seed": "a" }`. */
export const sweepVariable = 'EMULATOR_SWEEP'

const orderFile = z.strictObject({
  behaviours: z.array(z.string()),
  record: z.string().min(1),
  seed: z.string(),
})

/** Reads the order of a sweep from the environment; undefined where there is none.
 *  @throws {Error} if the file cannot be read, or names an unknown behaviour */
export function sweepOrderIn(env: Readonly<Record<string, string | undefined>>): SweepOrder | undefined {
  const file = env[sweepVariable]
  if (file === undefined || file === '') return undefined
  const { behaviours: names, record, seed } = orderFile.parse(JSON.parse(readFileSync(file, 'utf8')))
  return { behaviours: names.map((name) => behaviourNamed(name, file)), record, seed }
}

function behaviourNamed(name: string, file: string): Behaviour {
  const found = behaviours.find((behaviour) => behaviour.name === name)
  if (found !== undefined) return found
  throw new Error(
    `${sweepVariable}: ${file} names the behaviour ${JSON.stringify(name)}, which does not exist`,
  )
}
