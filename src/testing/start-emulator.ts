import type { Config } from '../app/config.ts'
import type { Emulator } from '../app/emulator.ts'
import type { WebhookFetch } from '../webhooks/receiving-function.ts'
import { ControlApi } from './control-api.ts'
import type { SettingChanges } from './controls.ts'
import { emulatorFetch } from './emulator-fetch.ts'
import { EmulatorNotStarted, strayOption } from './errors.ts'
import { connectionsTo, httpTransport } from './http-transport.ts'
import { TestEmulator } from './test-emulator.ts'
import { ClosedGuard } from './transport.ts'

/** Options of `startEmulator`. All have defaults. */
export interface StartOptions {
  /** The port that the emulator listens on. Default: a free port. */
  readonly port?: number | undefined
  /** The address that the emulator listens on. Default: `127.0.0.1`. */
  readonly host?: string | undefined
  /** `false` opens no port: only this library and `emulator.fetch` reach the emulator. It cannot be combined with
   *  `port` or `host`. Default: `true`. */
  readonly listen?: boolean | undefined
  /** A function in this process that receives the webhooks of all clients instead of the network, such as Hono's
   *  `app.fetch`. A client still needs a `webhookUrl`, because requests are addressed to it. */
  readonly webhookFetch?: WebhookFetch | undefined
  /** The database file. Default: in memory. */
  readonly database?: string | undefined
  /** Whether the database file survives a power failure too. Slower. Default: `false`. */
  readonly durable?: boolean | undefined
  /** Scenario files, or folders of them, in addition to the built-in scenarios. */
  readonly scenarios?: readonly string[] | undefined
  /** Fixtures to load at the start: files, or names of built-in fixtures. */
  readonly fixtures?: readonly string[] | undefined
  /** Settings for all clients, by dotted name or in groups. */
  readonly settings?: SettingChanges | undefined
  /** How the clocks of clients run: `real`, `manual` (time stands still until a test moves it), or a speed such as
   *  `60x`. Default: `real`. */
  readonly clock?: 'real' | 'manual' | `${number}x` | undefined
  /** The time at which clocks start, in ISO 8601. Default: now. */
  readonly startTime?: string | undefined
  /** The seed from which ids are derived: the same seed gives the same ids. Default: random. */
  readonly seed?: string | undefined
  /** The hosts, IP addresses or ranges (`10.0.0.0/8`) that webhooks may be sent to. Default: any. */
  readonly webhookAllow?: readonly string[] | undefined
  /** The URL under which browsers reach the emulator, if it differs from its own address. */
  readonly publicUrl?: string | undefined
}

const optionNames: readonly (keyof StartOptions)[] = [
  ...(['port', 'host', 'listen', 'webhookFetch', 'database', 'durable', 'scenarios', 'fixtures'] as const),
  ...(['settings', 'clock', 'startTime', 'seed', 'webhookAllow', 'publicUrl'] as const),
]

/** How long a stop waits for deliveries in flight: a finished test does not need them. */
const drainMs = 1_000

/** Starts an emulator in this process.
 *  @throws EmulatorNotStarted for an unknown or invalid option, a port in use or an unusable file. Nothing is left
 *    running. */
export async function startEmulator(options: StartOptions = {}): Promise<TestEmulator> {
  refuseNonsense(options)
  const { listen = true, webhookFetch, ...others } = options
  // Loaded late, so that a program that only connects does not load the engine.
  const engine = await loadEngine()
  const lacking = engine.lackingGlobal()
  if (lacking !== null) throw new EmulatorNotStarted(`startEmulator: ${lacking}`)
  const config = configOf(others, engine)
  const bugs: unknown[] = []
  // Inboxes need no port if webhooks go to a function, or if the emulator itself has no port.
  const doors = webhookFetch === undefined && listen ? undefined : new engine.FunctionEndpoints(webhookFetch)
  const { emulator, server, way } = await begun(async () => {
    const emulator = await engine.createEmulator(config, (error) => bugs.push(error), {
      webhookFetchAt: doors?.at,
      sweep: engine.sweepOrderIn(process.env),
      coverageFolder: process.env.EMULATOR_COVERAGE_DIR || undefined,
    })
    return { emulator, ...(await (listen ? onPort : withoutPort)(emulator, config, engine)) }
  }, config)
  const gate = new ClosedGuard()
  const http = httpTransport(server.url, way)
  const direct = engine.directTransport(emulator, server.url)
  return new TestEmulator({
    api: new ControlApi(gate.before({ ...http, ...direct }), emulator.controlToken),
    service: { url: server.url, transport: gate.before(http) },
    fetch: emulatorFetch(server.url, way),
    ...(doors && { doorAt: (where) => doors.door(where) }),
    close: async () => {
      gate.close()
      await way.close()
      await server.close()
      if (bugs.length > 0)
        throw new AggregateError(bugs, `payment-order-emulator has a bug: ${bugs.join(', ')}`)
    },
  })
}

const loadEngine = () => import('./engine.ts')

type Engine = Awaited<ReturnType<typeof loadEngine>>

/** Explains why Bun cannot run an emulator; null elsewhere. Its HTTP server lacks features that the emulator needs. */
function onBun(): string | null {
  const { bun } = process.versions
  if (bun === undefined) return null
  return (
    `an emulator does not run on Bun ${bun}. Run the tests with Node 22.19 or later, or start the emulator ` +
    'there (`npx payment-order-emulator`) and use `connectEmulator(url)`'
  )
}

function refuseNonsense(options: StartOptions): void {
  const problem = onBun() ?? strayOption(options, optionNames)
  if (problem !== null) throw new EmulatorNotStarted(`startEmulator: ${problem}`)
  const { listen = true, port, host, webhookFetch } = options
  if (webhookFetch !== undefined && typeof webhookFetch !== 'function')
    throw new EmulatorNotStarted('startEmulator: webhookFetch: expected a function that takes a Request')
  if (listen || (port === undefined && host === undefined)) return
  const given = port === undefined ? 'host' : 'port'
  throw new EmulatorNotStarted(
    `startEmulator: ${given}: has no effect with \`listen: false\`, which opens no port`,
  )
}

function configOf(options: StartOptions, { readConfig, problemWords }: Engine): Config {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  const result = readConfig({ port: 0, drainMs, ...Object.fromEntries(given) })
  if (result.ok) return result.value
  throw new EmulatorNotStarted(`startEmulator: ${problemWords(result.problems)}`)
}

async function begun<T>(start: () => Promise<T>, config: Config): Promise<T> {
  try {
    return await start()
  } catch (error) {
    throw new EmulatorNotStarted(`startEmulator: ${reasonOf(error, config)}`, { cause: error })
  }
}

/** Explains an error of the start. Errors are recognised by their fields, because in Jest Node's errors are of
 *  another class. */
function reasonOf(error: unknown, { host, port }: Config): string {
  if (typeof error !== 'object' || error === null || !('message' in error)) return String(error)
  switch ('code' in error ? error.code : null) {
    case 'EADDRINUSE':
      return `port ${port} of ${host} is in use; leave out \`port\` to get a free one`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `host: this machine has no address ${host}`
    case 'EACCES':
      return String(error.message).includes('listen')
        ? `this user may not open port ${port}; leave out \`port\` to get a free one`
        : String(error.message)
    default:
      return String(error.message)
  }
}

async function onPort(emulator: Emulator, config: Config, { serveEmulator }: Engine) {
  try {
    return { server: await serveEmulator(emulator, config, { ownProcess: false }), way: connectionsTo() }
  } catch (error) {
    await emulator.close()
    throw error
  }
}

async function withoutPort(emulator: Emulator, config: Config, { servePortless }: Engine) {
  const server = servePortless(emulator, config)
  return { server, way: connectionsTo(server.connect) }
}
