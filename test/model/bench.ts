import { EventEmitter } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { configSchema } from '../../src/app/config.ts'
import { createEmulator, type Emulator } from '../../src/app/emulator.ts'
import { Answer } from '../support/answer.ts'
import { type ClientFields, TestClient } from '../support/client.ts'
import { expectDocumented } from '../support/documented.ts'
import type { TestEmulator } from '../support/emulator.ts'
import type { HttpRequest } from '../support/http.ts'
import { Endpoints } from './endpoints.ts'
import { type Kept, keptIn } from './kept.ts'
import { startTime } from './names.ts'

type Calls = Pick<TestEmulator, 'send' | 'control'>

/** The real thing: an emulator over a store, without a port, that can be stopped, crashed and started again. */
export class Bench implements Calls {
  readonly endpoints = new Endpoints()
  readonly #folder = mkdtempSync(join(tmpdir(), 'model-'))
  readonly #bugs: unknown[] = []
  /** Ends of the emulator, each with a start after it. */
  restarts = 0
  #kept: Kept
  #emulator: Emulator | undefined
  /** Keeps the connections of create calls open, so that the emulator does not learn that its answer has left. */
  answersLeave = true

  /** @param kind of its store: see `storeKind` */
  constructor(kind: string) {
    this.#kept = keptIn(this.#folder, kind)
  }

  async start(): Promise<void> {
    await this.endpoints.listen()
    await this.#open()
  }

  /** Stops the emulator as SIGTERM does, and starts it again. */
  async restart(): Promise<void> {
    this.restarts += 1
    await this.#end()
    await this.#open()
  }

  /** Ends the emulator as SIGKILL does, and starts it again: on what was kept at that moment. */
  async crash(): Promise<void> {
    this.restarts += 1
    const left = await this.#kept.crashed()
    await this.#end()
    this.#kept = left
    await this.#open()
  }

  /** Throws if the emulator has met a bug of its own. */
  checkBugs(): void {
    if (this.#bugs.length > 0)
      throw new AggregateError(this.#bugs, `the emulator has a bug: ${this.#bugs.join(', ')}`)
  }

  async close(): Promise<void> {
    await this.#end()
    await this.endpoints.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async send(path: string, request: HttpRequest): Promise<Answer> {
    const answer = await this.#answer(path, request)
    await expectDocumented(request.method, path, answer, (...asked) => this.#answer(...asked))
    return answer
  }

  async #answer(path: string, { method, headers = {}, body }: HttpRequest): Promise<Answer> {
    const present = Object.entries(headers).flatMap(([name, value]) =>
      value === null ? [] : [[name, value]],
    )
    const init = {
      method,
      headers: { host: 'localhost', ...Object.fromEntries(present) },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }
    // Stands for the connection: the emulator listens on it for the moment at which its answer has left.
    const outgoing = Object.assign(new EventEmitter(), { destroyed: false })
    const response = await this.#app.request(path, init, { outgoing })
    const answer = new Answer(response.status, Object.fromEntries(response.headers), await response.text())
    if (this.answersLeave && outgoing.emit('finish')) await nextTurn()
    return answer
  }

  async control(path: string, method = 'GET', body?: object): Promise<Answer> {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const answer = await this.send(`/_emulator${path}`, { method, headers, body })
    if (answer.status >= 200 && answer.status < 300) return answer
    throw new Error(`${method} /_emulator${path} answered ${answer.status} ${answer.text}`)
  }

  async addClient(fields: ClientFields & { readonly clientId: string }): Promise<TestClient> {
    const credentials = {
      clientId: fields.clientId,
      apiSecret: `secret of ${fields.clientId}`,
      accessToken: `token-of-${fields.clientId}`,
      webhookSecret: 'whsec_c2VjcmV0',
    }
    await this.control('/clients', 'POST', { ...credentials, ...fields })
    return new TestClient(this, credentials)
  }

  get #app(): Emulator['app'] {
    if (this.#emulator === undefined) throw new Error('the emulator has not been started')
    return this.#emulator.app
  }

  async #open(): Promise<void> {
    const config = configSchema.parse({ clock: 'manual', startTime, seed: 'model', drainMs: 0 })
    const store = await this.#kept.open()
    this.#emulator = await createEmulator(config, (error) => this.#bugs.push(error), { store })
  }

  async #end(): Promise<void> {
    await this.#emulator?.close()
    await this.#kept.close()
  }
}
