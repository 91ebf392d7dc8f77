import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { preload } from './killers.ts'
import type { Program, StartOptions } from './program.ts'

/** Starts a program that watches its own event loop.
 *  @param proof where it writes what it has seen; nothing is there yet */
export function watchingItsLoop(proof: string): StartOptions {
  return { nodeArgs: preload('loop-watch.ts'), env: { LOOP_WATCH: proof } }
}

/** The longest time for which the program's event loop was busy since this was asked last, in milliseconds. */
export async function longestTurn({ child }: Program, proof: string): Promise<number> {
  const lines = () => (existsSync(proof) ? readFileSync(proof, 'utf8').trim().split('\n') : [])
  const before = lines().length
  child.kill('SIGUSR2')
  while (lines().length === before) await pause(2)
  return Number(lines().at(-1))
}
