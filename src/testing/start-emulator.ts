import type { Config } from '../config.ts'
import type { Emulator } from '../emulator.ts'
import type { WebhookFetch } from '../webhooks/receiving-function.ts'
import { ControlApi } from './control-api.ts'
import type { SettingChanges } from './controls.ts'
import { emulatorFetch } from './emulator-fetch.ts'
import { EmulatorNotStarted } from './errors.ts'
import { Gate } from './gate.ts'
import { httpTransport } from './http-transport.ts'
import { strayOption } from './option-names.ts'
import { TestEmulator } from './test-emulator.ts'
import { wayTo } from './way.ts'

/** What an emulator in this process is started with; everything has a default. */
export interface StartOptions {
  /** Where to listen; a free port of 127.0.0.1 if left out. */
  readonly port?: number | undefined
  readonly host?: string | undefined
  /** `false`: no port is opened, and only this library and `emulator.fetch` reach the emulator; not together with
   *  `port` or `host`. */
  readonly listen?: boolean | undefined
  /** Takes the webhooks of all clients in this process, instead of the network: the application's own entrance, like
   *  Hono's `app.fetch`. A client has a `webhookUrl` all the same; the request is addressed to it. */
  readonly webhookFetch?: WebhookFetch | undefined
  /** A file to keep everything in; in memory if left out. */
  readonly database?: string | undefined
  /** Whether the database survives a power failure too; slower. */
  readonly durable?: boolean | undefined
  /** Scenario files, and folders of such, beside those that ship. */
  readonly scenarios?: readonly string[] | undefined
  /** Fixtures to begin with: files, or names of those that ship. */
  readonly fixtures?: readonly string[] | undefined
  /** Settings of all clients, by dotted name or in groups. */
  readonly settings?: SettingChanges | undefined
  /** How the clocks of clients go: `real` (if left out), `manual` (they stand until a test moves them), or a speed like
   *  `60x`. */
  readonly clock?: 'real' | 'manual' | `${number}x` | undefined
  /** Where they begin; ISO 8601. Now, if left out. */
  readonly startTime?: string | undefined
  /** Ids follow from it: same seed, same ids. */
  readonly seed?: string | undefined
  /** Where webhooks may go: hosts, IP addresses, ranges like `10.0.0.0/8`. Anywhere, if left out. */
  readonly webhookAllow?: readonly string[] | undefined
  /** Under which browsers reach the emulator, where that is not its own address. */
  readonly publicUrl?: string | undefined
}

const optionNames: readonly (keyof StartOptions)[] = [
  ...(['port', 'host', 'listen', 'webhookFetch', 'database', 'durable', 'scenarios', 'fixtures'] as const),
  ...(['settings', 'clock', 'startTime', 'seed', 'webhookAllow', 'publicUrl'] as const),
]

/** How long a stop waits for deliveries in flight: a test that is over has no use for them. */
const drainMs = 1_000

/** Starts an emulator in this process.
 *  @throws EmulatorNotStarted for an option that is unknown or wrong, a taken port, an unusable file: nothing is left
 *    running */
export async function startEmulator(options: StartOptions = {}): Promise<TestEmulator> {
  refuseNonsense(options)
  const { listen = true, webhookFetch, ...others } = options
  // Late: whoever only connects to an emulator does not load one.
  const engine = await loadEngine()
  const lacking = engine.lackingGlobal()
  if (lacking !== null) throw new EmulatorNotStarted(`startEmulator: ${lacking}`)
  const config = configOf(others, engine)
  const bugs: unknown[] = []
  // What goes to no network reaches no server of an inbox; and who wants no port wants none for an inbox.
  const doors = webhookFetch === undefined && listen ? undefined : new engine.FunctionDoors(webhookFetch)
  const { emulator, server, way } = await begun(async () => {
    const emulator = await engine.createEmulator(config, (error) => bugs.push(error), {
      webhookFetchAt: doors?.at,
      sweep: engine.sweepOrderIn(process.env),
      coverageFolder: process.env.EMULATOR_COVERAGE_DIR || undefined,
    })
    return { emulator, ...(await (listen ? onPort : withoutPort)(emulator, config, engine)) }
  }, config)
  const gate = new Gate()
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

/** Bun's HTTP server lacks what the emulator's is built on. */
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
    `startEmulator: ${given}: means nothing with \`listen: false\`, which opens no port`,
  )
}

function configOf(options: StartOptions, { readConfig, problemWords }: Engine): Config {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  const result = readConfig({ port: 0, drainMs, ...Object.fromEntries(given) })
  if (result.ok) return result.value
  throw new EmulatorNotStarted(`startEmulator: ${problemWords(result.problems)}`)
}

/** Does what starts it, and says in words why it does not. */
async function begun<T>(start: () => Promise<T>, config: Config): Promise<T> {
  try {
    return await start()
  } catch (error) {
    throw new EmulatorNotStarted(`startEmulator: ${reasonOf(error, config)}`, { cause: error })
  }
}

/** In Jest, what Node throws is no `Error` of the test's: it is known by its members. */
function reasonOf(error: unknown, { host, port }: Config): string {
  if (typeof error !== 'object' || error === null || !('message' in error)) return String(error)
  switch ('code' in error ? error.code : null) {
    case 'EADDRINUSE':
      return `port ${port} of ${host} is taken; without \`port\` a free one is found`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `host: this machine has no address ${host}`
    case 'EACCES':
      return String(error.message).includes('listen')
        ? `port ${port} needs more rights; without \`port\` a free one is found`
        : String(error.message)
    default:
      return String(error.message)
  }
}

async function onPort(emulator: Emulator, config: Config, { serveEmulator }: Engine) {
  try {
    return { server: await serveEmulator(emulator, config, { ownProcess: false }), way: wayTo() }
  } catch (error) {
    await emulator.close()
    throw error
  }
}

async function withoutPort(emulator: Emulator, config: Config, { servePortless }: Engine) {
  const server = servePortless(emulator, config)
  return { server, way: wayTo(server.connect) }
}
