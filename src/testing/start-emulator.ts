import type { Config } from '../config.ts'
import type { Emulator } from '../emulator.ts'
import type { WebhookFetch } from '../webhooks/receiving-function.ts'
import { ControlApi } from './control-api.ts'
import { directTransport } from './direct-transport.ts'
import { emulatorFetch } from './emulator-fetch.ts'
import { EmulatorNotStarted } from './errors.ts'
import { httpTransport } from './http-transport.ts'
import { TestEmulator } from './test-emulator.ts'
import { wayTo } from './way.ts'

/** What an emulator in this process is started with; everything has a default. */
export interface StartOptions {
  /** Where to listen; a free port of 127.0.0.1 if left out. */
  readonly port?: number
  readonly host?: string
  /** `false`: no port is opened, and only this library and `emulator.fetch` reach the emulator; not together with
   *  `port` or `host`. */
  readonly listen?: boolean
  /** Takes the webhooks of all clients in this process, instead of the network: the application's own entrance, like
   *  Hono's `app.fetch`. A client has a `webhookUrl` all the same; the request is addressed to it. */
  readonly webhookFetch?: WebhookFetch
  /** A file to keep everything in; in memory if left out. */
  readonly database?: string
  /** Whether the database survives a power failure too; slower. */
  readonly durable?: boolean
  /** Scenario files, and folders of such, beside those that ship. */
  readonly scenarios?: readonly string[]
  /** Fixtures to begin with: files, or names of those that ship. */
  readonly fixtures?: readonly string[]
  /** Settings of all clients, by dotted name or in groups. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** How the clocks of clients go: `real` (if left out), `manual` (they stand until a test moves them), or a speed like
   *  `60x`. */
  readonly clock?: 'real' | 'manual' | `${number}x`
  /** Where they begin; ISO 8601. Now, if left out. */
  readonly startTime?: string
  /** Ids follow from it: same seed, same ids. */
  readonly seed?: string
  /** Where webhooks may go: hosts, IP addresses, ranges like `10.0.0.0/8`. Anywhere, if left out. */
  readonly webhookAllow?: readonly string[]
  /** Under which browsers reach the emulator, where that is not its own address. */
  readonly publicUrl?: string
}

/** How long a stop waits for deliveries in flight: a test that is over has no use for them. */
const drainMs = 1_000

/** Starts an emulator in this process.
 *  @throws Error for an option that is unknown or wrong, a taken port, an unusable file: nothing is left running */
export async function startEmulator(options: StartOptions = {}): Promise<TestEmulator> {
  const { listen = true, webhookFetch, ...others } = options
  refuseNonsense(options)
  // Late: whoever only connects to an emulator does not load one.
  const [{ createEmulator }, config] = await Promise.all([import('../emulator.ts'), configOf(others)])
  const bugs: unknown[] = []
  const emulator = await createEmulator(config, (error) => bugs.push(error), { webhookFetch })
  const { server, way } = await (listen ? onPort(emulator, config) : withoutPort(emulator, config))
  const control = directTransport(() => emulator.app, server.url)
  return new TestEmulator({
    api: new ControlApi(control, emulator.controlToken),
    service: { url: server.url, transport: httpTransport(server.url, way) },
    fetch: emulatorFetch(server.url, way),
    close: async () => {
      await way.close()
      await server.close()
      if (bugs.length > 0)
        throw new AggregateError(bugs, `payment-order-emulator has a bug: ${bugs.join(', ')}`)
    },
  })
}

function refuseNonsense({ listen = true, port, host, webhookFetch }: StartOptions): void {
  if (webhookFetch !== undefined && typeof webhookFetch !== 'function')
    throw new EmulatorNotStarted('startEmulator: webhookFetch: expected a function that takes a Request')
  if (listen || (port === undefined && host === undefined)) return
  const given = port === undefined ? 'host' : 'port'
  throw new EmulatorNotStarted(
    `startEmulator: ${given}: means nothing with \`listen: false\`, which opens no port`,
  )
}

async function configOf(options: StartOptions): Promise<Config> {
  const [{ configSchema }, { check, problemWords }] = await Promise.all([
    import('../config.ts'),
    import('../domain/problems.ts'),
  ])
  const result = check(configSchema, { port: 0, drainMs, ...options })
  if (result.ok) return result.value
  throw new Error(`startEmulator: ${problemWords(result.problems)}`)
}

async function onPort(emulator: Emulator, config: Config) {
  const { serveEmulator } = await import('../server.ts')
  try {
    return { server: await serveEmulator(emulator, config, { ownProcess: false }), way: wayTo() }
  } catch (error) {
    await emulator.close()
    throw error
  }
}

async function withoutPort(emulator: Emulator, config: Config) {
  const { servePortless } = await import('../portless-server.ts')
  const server = servePortless(emulator, config)
  return { server, way: wayTo(server.connect) }
}
