import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Load, LoadProcesses, type LoadResult } from '../load/load.ts'
import { create } from '../load/requests.ts'
import { Processes, type Server } from './processes.ts'

export interface EmulatorOptions {
  /** A file, or `:memory:`. A new file if left out. */
  readonly database?: string
  readonly clock?: 'manual' | 'real'
  readonly webhookUrl?: string
}

/** Orders of a server, by the numbers of their requests. */
export interface Stored {
  readonly first: number
  readonly count: number
}

const signals = ['SIGINT', 'SIGTERM'] as const
const interrupt = () => process.exit(130)

/** The tools of a bench section. Leaving the scope ends its processes and removes its files. */
export class Bench implements Disposable {
  /** Short rounds. */
  readonly quick: boolean
  readonly folder = mkdtempSync(join(tmpdir(), 'emulator-bench-'))
  readonly processes = new Processes()
  #load: LoadProcesses | undefined
  #databases = 0
  #orders = 0

  constructor(quick: boolean) {
    this.quick = quick
    process.once('exit', this.#leave)
    for (const signal of signals) process.once(signal, interrupt)
  }

  /** Says on stderr what is being measured. */
  say(text: string): void {
    console.error(text)
  }

  /** Starts the built program. Orders with a payment page wait for no payer, so that each has a step ahead. */
  emulator(options: EmulatorOptions = {}): Promise<Server> {
    const { database = this.newDatabase(), clock = 'manual', webhookUrl } = options
    const settings = join(this.folder, 'settings.yaml')
    writeFileSync(settings, 'orders.autopay: always\n')
    const scenarios = new URL('../scenarios', import.meta.url).pathname
    const program = new URL('../../dist/cli.js', import.meta.url).pathname
    const words = (port: string) => [
      ...[process.execPath, program, 'serve', '--port', port, '--log', 'silent'],
      ...['--database', database, '--settings', settings, '--clock', clock, '--scenarios', scenarios],
      ...(webhookUrl === undefined ? [] : ['--webhook-url', webhookUrl]),
    ]
    // Reading the journal has it written first.
    return this.processes.serve(words, '/_emulator/requests?limit=1')
  }

  /** Starts the server that the emulator is compared with. */
  hono(): Promise<Server> {
    return this.processes.serve((port) => [process.execPath, programFile('hono'), port])
  }

  newDatabase(): string {
    this.#databases += 1
    return join(this.folder, `${this.#databases}.db`)
  }

  /** Reserves numbers of orders that no request has used. @returns the first of them */
  newOrders(count: number): number {
    const first = this.#orders
    this.#orders += count
    return first
  }

  send(load: Load): Promise<LoadResult> {
    this.#load ??= new LoadProcesses(this.processes)
    return this.#load.send(load)
  }

  /** Makes orders by create calls. */
  async store({ port }: Server, count: number): Promise<Stored> {
    const first = this.newOrders(count)
    const most = 20_000
    for (let done = 0; done < count; done += most) {
      const part = Math.min(most, count - done)
      await this.send({ shape: create, port, connections: 64, first: first + done, count: part })
    }
    return { first, count }
  }

  /** Ends what a section started. Files stay until the end of the run. */
  async endProcesses(): Promise<void> {
    await this.processes.end()
    this.#load = undefined
  }

  [Symbol.dispose](): void {
    process.off('exit', this.#leave)
    for (const signal of signals) process.off(signal, interrupt)
    this.#leave()
  }

  readonly #leave = () => {
    this.processes.kill()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** The path of a program in `bench/programs`. */
export const programFile = (name: string): string =>
  new URL(`../programs/${name}.ts`, import.meta.url).pathname
