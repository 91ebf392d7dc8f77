import { randomBytes } from 'node:crypto'
import { type Config, isLoopback } from '../../app/config.ts'
import type { Emulator } from '../../app/emulator.ts'
import { version } from '../../app/package.ts'
import { painter } from '../../conform/report/terminal-style.ts'
import { effectiveSettings } from '../../domain/choices/settings.ts'
import type { Client } from '../../domain/client/client.ts'
import { demoCredentials } from '../../domain/client/client.ts'
import { maskedUrl } from '../../domain/journal/masking.ts'
import { oneLine } from '../../domain/text/issue-words.ts'
import { shellQuoted } from '../../domain/text/shell.ts'
import { signedCurl } from '../../pages/client-commands.ts'
import { keysLine } from '../keys/keys.ts'
import { programCall, shellQuote } from '../program-call.ts'
import type { Environment } from '../terminal.ts'

/** Facts about an emulator that has just started, for its log. */
export interface StartFacts {
  readonly version: string
  readonly url: string
  /** The URL of the dashboard for browsers. */
  readonly dashboard: string
  /** The demo client. */
  readonly client: Client
  readonly clock: {
    readonly mode: 'real' | 'manual'
    readonly speed: number
    readonly now: number
    /** The clock of the database continues, although `--clock` asked for another. */
    readonly kept: boolean
  }
  readonly seed: string
  /** The path of the database file, or `:memory:`. */
  readonly database: string
  readonly fixtures: Emulator['fixtures']
  readonly webhooksSigned: boolean
  /** The form in which a checkout must be signed; null for either form. */
  readonly checkoutForm: 'short' | 'with-currency' | null
  /** The control token; `made` if it was generated at the start. */
  readonly controlToken: { readonly token: string; readonly made: boolean } | null
  readonly warnings: readonly string[]
  /** A signed create call, as parts of a curl command. */
  readonly curl: readonly string[]
  /** The `listen` command that receives this emulator's webhooks. */
  readonly listen: string
  /** Whether the program reads keys. */
  readonly keys: boolean
}

/** Collects the facts about a start.
 *  @param url the emulator's base URL
 *  @param context the environment, and whether the program reads keys */
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
    webhooksSigned: settings['webhook.auth'] === 'standard' && settings['webhook.signature'] === null,
    checkoutForm,
    controlToken,
    warnings: warningsFor(config, emulator),
    curl: signedCurl({ url, client, requestId, form: checkoutForm ?? 'short' }),
    listen: listenCall(url, client, controlToken, env),
    keys,
  }
}

/** The dashboard URL for browsers, which may differ from the URL on this machine. */
const dashboardUrl = ({ publicUrl }: Config, url: string): string =>
  `${(publicUrl ?? url).replace(/\/+$/, '')}/_emulator/`

function warningsFor({ host }: Config, { controlToken }: Emulator): string[] {
  if (controlToken !== null || isLoopback(host)) return []
  return ['anyone who reaches this port can use the control API; set `--control-token` to require a token']
}

/** Builds the `listen` command that finds this emulator. */
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

/** Formats the start text: at most 15 lines, the last of which is `Ready.` */
export function startText(facts: StartFacts, colours = false): string {
  const paint = painter(colours)
  const { clientId, apiSecret, accessToken, webhookSecret } = facts.client
  const [call, ...options] = facts.curl
  return `${paint('bold', `payment-order-emulator ${facts.version}`)}
${table([
  ['Base URL', facts.url],
  ['Dashboard', dashboardWords(facts)],
  ['clientId', oneLine(clientId)],
  ['apiSecret', oneLine(apiSecret)],
  ['access token', oneLine(accessToken)],
  ['webhookSecret', secretWords(webhookSecret, facts)],
  ['Clock', `${clockWords(facts)}; seed ${oneLine(facts.seed)}`],
  ['Webhooks', webhookWords(facts)],
])}
${facts.checkoutForm === null ? 'Create an order (both signature forms are accepted; set signature.checkout to allow only yours):' : 'Create an order:'}
${[call, options.slice(0, -1).join(' '), options.at(-1)].join(' \\\n  ')}
${facts.keys ? `${paint('dim', keysLine)}\n` : ''}Ready.`
}

/** Formats further details, which a key shows. */
export function startDetails(facts: StartFacts): string {
  return `${table([
    ['Seed', `${oneLine(facts.seed)} (the same seed gives the same ids)`],
    ['Database', databaseWords(facts)],
    ...facts.fixtures.map((report) => ['Fixture', fixtureWords(report)] as const),
    ...controlRow(facts),
  ])}
${notes(facts)}`
}

/** The start as a JSON log record. Its only secrets are a control token that was just generated, because nobody else
 *  knows it, and the demo access token, which everybody knows. */
export function readyRecord(facts: StartFacts): Readonly<Record<string, unknown>> {
  const { url, dashboard, version, client, clock, seed, database, controlToken, curl, checkoutForm } = facts
  return {
    event: 'ready',
    url,
    dashboard,
    version,
    clientId: client.clientId,
    webhookUrl: client.webhookUrl === null ? null : maskedUrl(client.webhookUrl),
    clock: { mode: clock.mode, speed: clock.speed, now: clock.now },
    seed,
    database,
    checkoutSignature: checkoutForm ?? 'either',
    ...(controlToken?.made ? { controlToken: controlToken.token } : {}),
    curl: withoutToken(curl.join(' '), client.accessToken),
  }
}

/** Replaces the user's access token by a shell variable. */
const withoutToken = (command: string, accessToken: string): string =>
  accessToken === demoCredentials.accessToken
    ? command
    : command.replace(
        shellQuoted(`access-token: ${accessToken}`),
        () => '"access-token: $PAYMENT_ORDER_ACCESS_TOKEN"',
      )

function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length)) + 2
  const below = `\n${' '.repeat(width + 2)}`
  return rows.map(([name, words]) => `  ${name.padEnd(width)}${words.replaceAll('\n', below)}`).join('\n')
}

function dashboardWords({ dashboard, controlToken }: StartFacts): string {
  if (controlToken === null) return dashboard
  return `${dashboard} (control token ${controlToken.made ? controlToken.token : 'as given'})`
}

const secretWords = (webhookSecret: string, { webhooksSigned }: StartFacts): string =>
  webhooksSigned ? `${webhookSecret} (signs webhooks, an addition of this emulator)` : webhookSecret

function clockWords({ clock }: StartFacts): string {
  const pace =
    clock.mode === 'manual'
      ? `manual, stopped at ${new Date(clock.now).toISOString()}; move it with POST /_emulator/clock/advance`
      : clock.speed === 1
        ? 'real'
        : `${clock.speed}x`
  return clock.kept ? `${pace} (from the database; --clock applies to new clients)` : pace
}

function fixtureWords({ file, loaded, left }: StartFacts['fixtures'][number]): string {
  const lines = loaded.map(
    ({ clientId, orders }) => `${oneLine(clientId)} with ${orders} ${orders === 1 ? 'order' : 'orders'}`,
  )
  if (left.length > 0) lines.push(`${oneLine(left.join(', '))}: already in the database, not changed`)
  return `${oneLine(file)}\n${lines.join('\n')}`
}

function databaseWords({ database }: StartFacts): string {
  return database === ':memory:'
    ? 'in memory, lost when the emulator stops (--database <file> stores it)'
    : oneLine(database)
}

function webhookWords({ client, listen }: StartFacts): string {
  if (client.webhookUrl !== null) return `go to ${oneLine(maskedUrl(client.webhookUrl))}`
  return `no webhook URL is registered, so webhooks are only shown here. To receive them: ${listen}`
}

function controlRow({ controlToken }: StartFacts): [string, string][] {
  if (controlToken === null) return []
  const words = controlToken.made ? controlToken.token : 'as given'
  return [['control token', `${words} (/_emulator requires "Authorization: Bearer <control token>")`]]
}

function notes({ webhooksSigned, checkoutForm }: StartFacts): string {
  const lines: string[] = []
  if (webhooksSigned) {
    lines.push(
      'Webhooks have the headers webhook-id, webhook-timestamp and webhook-signature (Standard Webhooks), signed with',
      'the webhookSecret. They are an addition of this emulator: the API specification has no webhook signature.',
    )
  }
  if (checkoutForm === null) {
    lines.push(
      'The API specification signs a checkout in two forms, with currencyId and without, and both are accepted. Find out',
      'which one your account uses, and set signature.checkout (short or with-currency) to accept only that form.',
    )
  }
  return lines.join('\n')
}
