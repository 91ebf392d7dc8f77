import { onTestFinished } from 'vitest'
import { type ConfigInput, configSchema } from '../../src/app/config.ts'
import { createEmulator, type EmulatorParts } from '../../src/app/emulator.ts'
import { serveEmulator } from '../../src/app/server.ts'
import type { Answer } from './answer.ts'
import { type ClientFields, TestClient } from './client.ts'
import { expectDocumented } from './documented.ts'
import { Http, type HttpRequest } from './http.ts'
import { storeForTests } from './store.ts'

/** Where manual clocks start unless a test says otherwise; not now, so that mixing up the clocks shows. */
export const startTime = '2026-04-21T16:00:00Z'

/** A running emulator: real HTTP on a free port, its database in memory. */
export interface TestEmulator extends AsyncDisposable {
  readonly url: string
  /** Sends a request as it is; `path` begins with a slash. */
  send(path: string, request: HttpRequest): Promise<Answer>
  /** Calls the control API; `path` is what follows `/_emulator`. Throws unless the answer is 2xx. */
  control(path: string, method?: string, body?: object): Promise<Answer>
  /** Makes a client; what is not given is made up by the emulator. */
  addClient(fields?: ClientFields): Promise<TestClient>
  /** Closes the port and the database. Throws if the emulator has met a bug of its own. */
  close(): Promise<void>
}

/** Starts an emulator whose clocks stand still; it closes itself when the test ends, or at the end of its block
 *  with `await using`.
 *  @param atEnd when it closes; `afterAll` for one that all tests of a file share */
export async function startTestEmulator(
  overrides: ConfigInput = {},
  atEnd: (close: () => Promise<void>) => void = onTestFinished,
  handedIn: EmulatorParts = {},
): Promise<TestEmulator> {
  const config = configSchema.parse({
    port: 0,
    clock: 'manual',
    startTime,
    seed: 'test',
    drainMs: 50,
    ...overrides,
  })
  const bugs: unknown[] = []
  const { store, closeStore } = await storeForTests(config)
  const emulator = await createEmulator(config, (error) => bugs.push(error), { store, ...handedIn })
  const server = await serveEmulator(emulator, config, { ownProcess: true })
  const reached = emulatorAt(server.url, async () => {
    await server.close()
    await closeStore()
    if (bugs.length > 0) throw new AggregateError(bugs, `the emulator has a bug: ${bugs.join(', ')}`)
  })
  atEnd(() => reached.close())
  return reached
}

/** The emulator that answers at `url`, wherever it runs.
 *  @param stop ends it */
export function emulatorAt(url: string, stop: () => Promise<void>): TestEmulator {
  const http = new Http(url)
  let closing: Promise<void> | undefined
  const close = async () => {
    await http.close()
    await stop()
  }
  const emulator: TestEmulator = {
    url,
    send: async (path, request) => {
      const answer = await http.send(path, request)
      await expectDocumented(request.method, path, answer, (...asked) => http.send(...asked))
      return answer
    },
    control: async (path, method = 'GET', body) => {
      const headers = body === undefined ? {} : { 'content-type': 'application/json' }
      const answer = await emulator.send(`/_emulator${path}`, { method, headers, body })
      if (answer.status < 200 || answer.status > 299) {
        throw new Error(`${method} /_emulator${path} answered ${answer.status} ${answer.text}`)
      }
      return answer
    },
    addClient: async (fields = {}) => {
      const { json } = await emulator.control('/clients', 'POST', fields)
      return new TestClient(emulator, {
        clientId: String(json.clientId),
        apiSecret: String(json.apiSecret),
        accessToken: String(json.accessToken),
        webhookSecret: String(json.webhookSecret),
      })
    },
    close: () => {
      closing ??= close()
      return closing
    },
    [Symbol.asyncDispose]: () => emulator.close(),
  }
  return emulator
}

/** The clients of the requirements' examples. */
export interface Fixture {
  readonly emulator: TestEmulator
  readonly c1: TestClient
  readonly c2: TestClient
}

/** An emulator with the clients C1 and C2. `fields` of C1 may be given, most often `webhookUrl` and `settings`. */
export async function startFixture(fields: ClientFields = {}, overrides: ConfigInput = {}): Promise<Fixture> {
  const emulator = await startTestEmulator(overrides)
  const c1 = await emulator.addClient({
    clientId: 'C1',
    apiSecret: 'sandbox-secret',
    accessToken: 'T1',
    ...fields,
  })
  const c2 = await emulator.addClient({ clientId: 'C2', apiSecret: 'another-secret', accessToken: 'T2' })
  return { emulator, c1, c2 }
}
