import type { Config } from '../config.ts'
import type { Emulator } from '../emulator.ts'
import type { EmulatorServer } from '../server.ts'
import { ControlApi } from './control-api.ts'
import { directTransport } from './direct-transport.ts'
import { httpTransport } from './http-transport.ts'
import { TestEmulator } from './test-emulator.ts'

/** What an emulator in this process is started with; everything has a default. */
export interface StartOptions {
  /** Where to listen; a free port of 127.0.0.1 if left out. */
  readonly port?: number
  readonly host?: string
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
  // Late: whoever only connects to an emulator does not load one.
  const [{ createEmulator }, { serveEmulator }, config] = await Promise.all([
    import('../emulator.ts'),
    import('../server.ts'),
    configOf(options),
  ])
  const bugs: unknown[] = []
  const emulator = await createEmulator(config, (error) => bugs.push(error))
  const server = await served(emulator, config, serveEmulator)
  const transport = httpTransport(server.url)
  const control = directTransport(() => emulator.app, server.url)
  return new TestEmulator({
    api: new ControlApi(control, emulator.controlToken),
    service: { url: server.url, transport },
    close: async () => {
      await transport.close()
      await server.close()
      if (bugs.length > 0)
        throw new AggregateError(bugs, `payment-order-emulator has a bug: ${bugs.join(', ')}`)
    },
  })
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

async function served(
  emulator: Emulator,
  config: Config,
  serveEmulator: (
    emulator: Emulator,
    config: Config,
    options: { ownProcess: boolean },
  ) => Promise<EmulatorServer>,
): Promise<EmulatorServer> {
  try {
    return await serveEmulator(emulator, config, { ownProcess: false })
  } catch (error) {
    await emulator.close()
    throw error
  }
}
