import { readFileSync } from 'node:fs'
import { Command, Option } from 'commander'
import { demoCredentials } from '../../domain/client/client.ts'
import { memberText } from '../../domain/text/json-text.ts'
import type { CheckoutForm, SignedMembers } from '../../domain/webhook/signature.ts'
import { isObject } from '../../http/body.ts'
import { CliError } from '../cli-error.ts'
import { emulatorUrl } from '../emulator-url.ts'
import type { Environment, Terminal } from '../terminal.ts'

/** The body of a create call, with its signed fields. */
export interface SignedBody {
  readonly kind: 'checkout' | 'subscription'
  readonly text: string
  readonly members: SignedMembers
  /** Problems for which the service would refuse the body. */
  readonly notes: readonly string[]
}

/** Builds the error for a command line that names no body to sign. */
const noBody = (): CliError => new CliError(2, 'error: no body; pass JSON or a file, or pipe the body in')

const byteOrderMark = /^\uFEFF/
const markNote = 'the body begins with a byte order mark, which JSON does not allow; it is ignored here'
const always = ['currencyId', 'fiatAmount', 'requestId'] as const

/** Reads the signed fields exactly as they are written in the body.
 *  @throws CliError */
export function signedBody(written: string): SignedBody {
  if (written.trim() === '') throw noBody()
  const text = written.replace(byteOrderMark, '')
  requireObject(text)
  const value = (name: keyof SignedMembers) => valueIn(text, name)
  const missing = always.filter((name) => value(name) === undefined)
  if (missing.length > 0)
    throw new CliError(2, `error: the body has no ${missing.join(' and no ')}; the signature covers it`)
  const names = [...always, 'interval', 'trialPeriodDays'] as const
  const members = {
    currencyId: value('currencyId') ?? '',
    fiatAmount: value('fiatAmount') ?? '',
    requestId: value('requestId') ?? '',
    interval: value('interval'),
    trialPeriodDays: value('trialPeriodDays'),
  }
  return {
    kind: members.interval === undefined ? 'checkout' : 'subscription',
    text,
    members,
    notes: [...(text === written ? [] : [markNote]), ...names.flatMap((name) => notText(text, name))],
  }
}

/** The value of a field: a text without its quotes, anything else as it is written. */
function valueIn(text: string, name: string): string | undefined {
  const written = memberText(text, name)
  if (written === null || written === 'null') return undefined
  return written.startsWith('"') ? String(JSON.parse(written)) : written
}

function notText(text: string, name: string): string[] {
  const written = memberText(text, name)
  if (written === null || written === 'null' || written.startsWith('"')) return []
  return [`${name} is ${written} in the body; the service accepts only text: "${written}"`]
}

function requireObject(text: string): void {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new CliError(
      2,
      `error: the body is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  if (!isObject(value)) throw new CliError(2, 'error: the body must be a JSON object')
}

/** The signed forms of a checkout, as values of `--form`. */
export const signedForms = ['short', 'with-currency'] as const satisfies readonly CheckoutForm[]

/** The options of `sign`. */
export interface SignOptions {
  readonly secret: string
  readonly accessToken: string
  readonly url: string
  readonly form: CheckoutForm
  readonly curl: boolean
  readonly json: boolean
}

/** Reads the flags of `sign`.
 *  @throws CliError */
export function readSignOptions(flags: Readonly<Record<string, unknown>>, env: Environment): SignOptions {
  const { PAYMENT_ORDER_API_SECRET, EMULATOR_API_SECRET, PAYMENT_ORDER_ACCESS_TOKEN, EMULATOR_ACCESS_TOKEN } =
    env
  return {
    secret:
      given(flags.secret) || PAYMENT_ORDER_API_SECRET || EMULATOR_API_SECRET || demoCredentials.apiSecret,
    accessToken:
      given(flags.accessToken) ||
      PAYMENT_ORDER_ACCESS_TOKEN ||
      EMULATOR_ACCESS_TOKEN ||
      demoCredentials.accessToken,
    url: emulatorUrl(flags.url, env),
    form: signedForms.find((form) => form === flags.form) ?? 'short',
    curl: flags.curl === true,
    json: flags.json === true,
  }
}

/** The flags that only a webhook takes, by the names of their values. */
const webhookFlags = {
  settings: '--settings',
  id: '--id',
  client: '--client',
  timestamp: '--timestamp',
  webhookUrl: '--webhook-url',
}

/** Rejects flags that only a webhook takes.
 *  @throws CliError */
export function refuseWebhookFlags(flags: Readonly<Record<string, unknown>>): void {
  const [stray] = Object.entries(webhookFlags).flatMap(([name, flag]) =>
    flags[name] === undefined ? [] : [flag],
  )
  if (stray !== undefined) throw new CliError(2, `error: ${stray} needs --webhook`)
}

/** Reads the body: the argument itself if it begins like JSON, otherwise a file.
 *  @throws CliError */
export async function bodyNamed(argument: string | undefined, terminal: Terminal): Promise<string> {
  if (argument !== undefined && argument !== '-') {
    return /^\s*[{[]/.test(argument) ? argument : fileText(argument)
  }
  const text = await terminal.readInput()
  if (text !== null) return text
  throw noBody()
}

const given = (flag: unknown): string => (typeof flag === 'string' ? flag : '')

function fileText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CliError(2, `error: ${JSON.stringify(path)} is neither JSON nor a readable file: ${reason}`)
  }
}

/** Builds the `sign` command. */
export function signCommand(): Command {
  return new Command('sign')
    .description('print the string to sign and the signature for the body of a create call, or of a webhook')
    .argument('[body]', 'JSON, a file, or - for standard input (default: standard input)')
    .allowExcessArguments(false)
    .option(
      '--secret <text>',
      'API secret (PAYMENT_ORDER_API_SECRET, EMULATOR_API_SECRET; default: demo-secret); with --webhook, the secret that the settings name (also PAYMENT_ORDER_WEBHOOK_SECRET)',
    )
    .option('--webhook', 'sign the body as a webhook, and print its headers')
    .option('--settings <file>', 'with --webhook: settings file with the recipe (default: Standard Webhooks)')
    .option('--id <text>', 'with --webhook: id of the webhook (default: msg_example)')
    .option('--client <clientId>', 'with --webhook: client of the webhook (default: demo-client)')
    .option(
      '--timestamp <time>',
      'with --webhook: time of signing, ISO 8601 or epoch milliseconds (default: now)',
    )
    .option(
      '--webhook-url <url>',
      'with --webhook: URL that it is sent to (default: https://shop.example/webhooks)',
    )
    .option('--curl', 'also print a command that sends the body')
    .addOption(
      new Option(
        '--form <form>',
        'with --curl: which of the two signature forms of a checkout to use (default: short)',
      ).choices(signedForms),
    )
    .option(
      '--access-token <text>',
      'with --curl: access token (PAYMENT_ORDER_ACCESS_TOKEN, EMULATOR_ACCESS_TOKEN; default: demo-token)',
    )
    .option('--url <url>', 'with --curl: URL of the emulator (EMULATOR_URL; default: http://127.0.0.1:4600)')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      `
A body with an interval is a subscription. The signature is the HMAC-SHA256 of the string, keyed with the API secret, in
base64. Values are signed exactly as the body has them: 10.00 is not 10.

Examples:
  $ payment-order-emulator sign '{"currencyId":"usd_us","fiatAmount":"10.00","requestId":"order-1"}'
  $ payment-order-emulator sign order.json --secret my-secret --json
  $ payment-order-emulator sign --curl < order.json
  $ payment-order-emulator sign --webhook --settings provider.yaml webhook.json`,
    )
}
