import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Bench } from '../frame/bench.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const portWord = 'PORT'

/** The built program as a user starts it. */
export const emulatorCommand = (database: string): readonly string[] => [
  ...[process.execPath, `${root}dist/cli.js`, 'serve', '--port', portWord, '--database', database],
]

/** What no start can be faster than. */
export const leastCommand = [process.execPath, `${root}bench/servers/least.mjs`, portWord]

/** In a checkout with everything installed and built. */
export const npmStart = ['npm', '--prefix', root, 'start', '--', '--port', portWord]

/** What the process of `main.ts` is to start. */
export type ToStarter = 'nothing' | { readonly words: readonly string[]; readonly portWord: string }

/** How long it took, in milliseconds. */
export type FromStarter = number | { readonly failure: string }

/** Longer takes no start. */
const mostMs = 120_000

/** Starts programs, one at a time, and measures how long that takes. */
export class Starter {
  readonly #child: ChildProcess

  constructor({ processes }: Bench) {
    const file = new URL('main.ts', import.meta.url).pathname
    this.#child = processes.start([process.execPath, file], 'starter')
  }

  /** @returns how long a Node takes that does nothing, from its start to its end, in milliseconds */
  nothing(): Promise<number> {
    return this.#told('nothing')
  }

  /** @returns how long a command takes from its start to its first answer 200, in milliseconds */
  start(words: readonly string[]): Promise<number> {
    return this.#told({ words, portWord })
  }

  async #told(what: ToStarter): Promise<number> {
    this.#child.send(what)
    const [took]: FromStarter[] = await once(this.#child, 'message', { signal: AbortSignal.timeout(mostMs) })
    if (typeof took !== 'number') throw new Error(took?.failure ?? 'the starter told nothing')
    return took
  }
}
