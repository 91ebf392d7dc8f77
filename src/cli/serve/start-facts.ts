import { randomBytes } from 'node:crypto'
import { type Config, isLoopback } from '../../config.ts'
import { effectiveSettings } from '../../domain/choices.ts'
import type { Client } from '../../domain/client.ts'
import type { Emulator } from '../../emulator.ts'
import { version } from '../../package.ts'
import { signedCurl } from '../../pages/signed-curl.ts'
import { programCall } from '../program-call.ts'
import { shellQuote } from '../shell-quote.ts'
import type { Environment } from '../terminal.ts'

/** What there is to tell about an emulator that has just started. */
export interface StartFacts {
  readonly version: string
  readonly url: string
  /** Where browsers find the dashboard. */
  readonly dashboard: string
  /** The demo client. */
  readonly client: Client
  readonly clock: {
    readonly mode: 'real' | 'manual'
    readonly speed: number
    readonly now: number
    /** The database's clock goes on, and `--clock` asks for another. */
    readonly kept: boolean
  }
  readonly seed: string
  /** `:memory:` or a file. */
  readonly database: string
  readonly fixtures: Emulator['fixtures']
  readonly webhooksSigned: boolean
  /** Null: a checkout may be signed in either form. */
  readonly checkoutForm: 'short' | 'with-currency' | null
  /** What the control API asks for; `made` here if nobody gave one. */
  readonly controlToken: { readonly token: string; readonly made: boolean } | null
  readonly warnings: readonly string[]
  /** A signed create call, part by part. */
  readonly curl: readonly string[]
  /** The command that receives webhooks. */
  readonly listen: string
  /** Keys do something while it runs. */
  readonly keys: boolean
}

/** Collects what is told at the start.
 *  @param url the emulator's base URL
 *  @param around the environment, and whether keys do something while it runs */
export function startFacts(
  emulator: Emulator,
  config: Config,
  url: string,
  { env, keys }: { readonly env: Environment; readonly keys: boolean },
): StartFacts {
  const client = emulator.demoClient()
  const settings = effectiveSettings(config.settings, client.settings)
  const pinned = settings['signature.checkout']
  const checkoutForm = pinned === 'either' ? null : pinned
  const requestId = `demo-${randomBytes(4).toString('hex')}`
  const controlToken =
    emulator.controlToken === null
      ? null
      : { token: emulator.controlToken, made: config.controlToken === undefined }
  const { mode, speed } = client.clock
  return {
    version,
    url,
    dashboard: dashboardUrl(config, url),
    client,
    clock: {
      mode,
      speed,
      now: emulator.clientNow(client.clientId),
      kept: mode !== config.clock.mode || speed !== config.clock.speed,
    },
    seed: emulator.seed,
    database: config.database,
    fixtures: emulator.fixtures,
    webhooksSigned: settings['webhook.auth'] === 'standard',
    checkoutForm,
    controlToken,
    warnings: warningsFor(config, emulator),
    curl: signedCurl({ url, client, requestId, form: checkoutForm ?? 'short' }),
    listen: listenCall(url, client, controlToken, env),
    keys,
  }
}

/** Browsers may have to take another way than programs on this machine. */
const dashboardUrl = ({ publicUrl }: Config, url: string): string =>
  `${(publicUrl ?? url).replace(/\/+$/, '')}/_emulator/`

function warningsFor({ host }: Config, { controlToken }: Emulator): string[] {
  if (controlToken !== null || isLoopback(host)) return []
  return ['anyone who reaches this port can use the control API; set `--control-token` to require a token']
}

/** How to call `listen` so that it finds this emulator. */
function listenCall(
  url: string,
  { clientId }: Client,
  controlToken: StartFacts['controlToken'],
  env: Environment,
): string {
  const flags = [
    ...(url === 'http://127.0.0.1:4600' ? [] : ['--url', url]),
    ...(clientId === 'demo-client' ? [] : ['--client', shellQuote(clientId)]),
    ...(controlToken === null
      ? []
      : ['--control-token', controlToken.made ? shellQuote(controlToken.token) : 'YOUR-TOKEN']),
  ]
  return [programCall(env), 'listen', ...flags].join(' ')
}
