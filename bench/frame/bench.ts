import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Generators } from '../load/generators.ts'
import type { Load, LoadEnd } from '../load/load.ts'
import { create } from '../load/requests.ts'
import { Pace } from '../pace/pace.ts'
import { Processes } from './processes.ts'
import type { Server } from './server.ts'

/** How the built program is started. */
export interface EmulatorOptions {
  /** A file, or `:memory:`; by default a new file. */
  readonly database?: string
  /** By default `manual`: it stands still. */
  readonly clock?: string
  /** By default none. */
  readonly webhookUrl?: string
  /** More words for its command line. */
  readonly more?: readonly string[]
  /** Options of Node. */
  readonly node?: readonly string[]
}

/** Orders of a server that are there to be looked up: the numbers of their requests. */
export interface Stored {
  readonly first: number
  readonly count: number
}

/** What a section measures with. Leaving the scope ends its processes and removes its files. */
export class Bench implements AsyncDisposable {
  /** Short rounds, a tripwire. */
  readonly quick: boolean
  /** For files; removed at the end. */
  readonly folder = mkdtempSync(join(tmpdir(), 'emulator-bench-'))
  readonly processes = new Processes()
  /** Looked at before each load; a section that sends none looks by itself. */
  readonly pace = new Pace(this.processes)
  readonly #generators = new Generators(this.processes)
  readonly #say: (text: string) => void
  #databases = 0
  #orders = 0

  constructor(quick: boolean, say: (text: string) => void) {
    this.quick = quick
    this.#say = say
    process.once('exit', this.#leave)
  }

  /** Tells who waits what is being measured. */
  say(text: string): void {
    this.#say(text)
  }

  /** Starts the built program. Orders with a payment page do not wait for a payer, so that each has a step ahead. */
  emulator(options: EmulatorOptions = {}): Promise<Server> {
    const { database = this.newDatabase(), clock = 'manual', webhookUrl, more = [], node = [] } = options
    const settings = join(this.folder, 'settings.yaml')
    writeFileSync(settings, 'orders.autopay: always\n')
    const program = new URL('../../dist/cli.js', import.meta.url).pathname
    const words = (port: string) => [
      ...[process.execPath, ...node, program, 'serve', '--port', port, '--log', 'silent'],
      ...['--database', database, '--settings', settings, '--clock', clock],
      ...(webhookUrl === undefined ? [] : ['--webhook-url', webhookUrl]),
      ...more,
    ]
    // Whoever reads the journal has all of it written first.
    return this.processes.serve(words, { writesBehind: '/_emulator/requests?limit=1' })
  }

  /** Starts a program of `bench/servers`, which gets the port and then the words. */
  program(name: 'hono' | 'raw' | 'ladder' | 'bare-service', ...words: readonly string[]): Promise<Server> {
    const file = new URL(`../servers/${name}.ts`, import.meta.url).pathname
    return this.processes.serve((port) => [process.execPath, file, port, ...words])
  }

  /** Starts a server beside the load that takes in whatever it is sent: for webhooks. */
  receiver(): Promise<Server> {
    const file = new URL('../servers/raw.ts', import.meta.url).pathname
    return this.processes.serve((port) => [process.execPath, file, port], { side: 'load' })
  }

  /** The name of a file that is not there yet. */
  newDatabase(): string {
    this.#databases += 1
    return join(this.folder, `${this.#databases}.db`)
  }

  /** Sends a load. */
  async send(load: Load): Promise<LoadEnd> {
    await this.pace.look()
    return this.#generators.send(load)
  }

  /** Numbers of orders that nobody has used yet. @returns the first of them */
  newOrders(count: number): number {
    const first = this.#orders
    this.#orders += count
    return first
  }

  /** Makes orders by create calls, to be looked up later. */
  async store({ port }: Server, count: number): Promise<Stored> {
    const first = this.newOrders(count)
    const most = 20_000
    for (let done = 0; done < count; done += most) {
      const part = Math.min(most, count - done)
      await this.send({ shape: create, port, connections: 64, first: first + done, count: part })
    }
    return { first, count }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.processes[Symbol.asyncDispose]()
    process.off('exit', this.#leave)
    this.#leave()
  }

  /** What can still be done when Ctrl-C ends the bench in the middle. */
  readonly #leave = () => {
    this.processes.kill()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
