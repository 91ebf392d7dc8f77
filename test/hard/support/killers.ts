import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import type { StartOptions } from './program.ts'

/** Where a program is to die. */
export interface Killer {
  readonly point:
    | 'before the transaction'
    | 'in the transaction'
    | 'after the transaction'
    | 'after the claim'
    | 'before the mark'
    /** Before a statement, and after a commit. */
    | 'at a step'
  /** At the n-th time that it comes there, from 1. */
  readonly nth: number
  /** Nothing counts before this file exists. */
  readonly armedBy?: string
  /** It writes down here what it was about to do, or had just done: a line for each kill. */
  readonly proof: string
}

/** Starts a program that dies at that point, by SIGKILL from within. */
export function killedBy(killer: Killer): StartOptions {
  return { nodeArgs: preload('killer.ts'), env: { KILLER: JSON.stringify(killer) } }
}

/** The middle of a checkpoint: when the database file changes, and the checkpoint has not ended. */
export interface CheckpointKiller {
  /** The database. */
  readonly file: string
  /** Nothing counts before this file exists. */
  readonly armedBy: string
}

/** Starts a program that dies in its first checkpoint, by SIGKILL from within. */
export function killedInCheckpoint(killer: CheckpointKiller): StartOptions {
  return { nodeArgs: preload('checkpoint-killer.ts'), env: { KILLER: JSON.stringify(killer) } }
}

/** Runs a module of `preload/` in the program, before it. */
export const preload = (name: string): string[] => [
  '--disable-warning=ExperimentalWarning',
  '--import',
  join(import.meta.dirname, 'preload', name),
]

const proof = z.object({ sql: z.string(), orders: z.array(z.string()) })

/** The records of the kills, and the orderIds of new orders in the killed transactions. */
export function proofsIn(file: string): z.output<typeof proof>[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return lines.map((line) => proof.parse(JSON.parse(line)))
}
