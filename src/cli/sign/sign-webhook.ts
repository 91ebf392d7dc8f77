import { effectiveSettings } from '../../domain/choices/settings.ts'
import { demoCredentials } from '../../domain/client/client.ts'
import { moment } from '../../domain/text/time.ts'
import { exampleRequest } from '../../domain/webhook/example-request.ts'
import { keyProblem } from '../../domain/webhook/key-problem.ts'
import { wallNow } from '../../time/wall.ts'
import { CliError } from '../cli-error.ts'
import { loadSettings } from '../serve/options.ts'
import type { Environment, Terminal } from '../terminal.ts'

type Flags = Readonly<Record<string, unknown>>

/** Runs `sign --webhook`: prints the headers with which the settings sign the body of a webhook.
 *  @throws CliError */
export function signWebhook(body: string, flags: Flags, terminal: Terminal): number {
  const file = textOf(flags.settings)
  const settings = effectiveSettings(file === undefined ? {} : loadSettings(file).settings)
  const secrets = secretsFrom(flags, terminal.env)
  const problem = keyProblem(settings, secrets)
  if (problem !== undefined) {
    const what = problem.name === 'webhook.auth' ? 'the webhook secret' : problem.name
    throw new CliError(2, `error: ${what} ${problem.message}`)
  }
  const unsigned = {
    id: textOf(flags.id) ?? 'msg_example',
    clientId: textOf(flags.client) ?? 'demo-client',
    at: timeFrom(textOf(flags.timestamp)),
    url: textOf(flags.webhookUrl),
    body,
  }
  const { headers, body: sent, stringToSign } = exampleRequest(settings, unsigned, secrets)
  if (flags.json === true) terminal.out(JSON.stringify({ stringToSign, headers, body: sent }))
  else
    terminal.out(
      [
        stringToSign === null ? 'no signature (webhook.auth: none)' : `string to sign  ${stringToSign}`,
        ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
        ...(sent === body ? [] : ['', sent]),
      ].join('\n'),
    )
  return 0
}

/** `--secret` replaces both secrets: a recipe uses one of them. */
function secretsFrom(flags: Flags, env: Environment) {
  const {
    PAYMENT_ORDER_WEBHOOK_SECRET,
    PAYMENT_ORDER_API_SECRET,
    EMULATOR_API_SECRET,
    EMULATOR_WEBHOOK_SECRET,
  } = env
  const given = textOf(flags.secret)
  return {
    webhookSecret:
      given ?? (PAYMENT_ORDER_WEBHOOK_SECRET || EMULATOR_WEBHOOK_SECRET || demoCredentials.webhookSecret),
    apiSecret: given ?? (PAYMENT_ORDER_API_SECRET || EMULATOR_API_SECRET || demoCredentials.apiSecret),
  }
}

function timeFrom(flag: string | undefined): number {
  if (flag === undefined) return wallNow()
  const read = moment.safeParse(/^\d+$/.test(flag) ? Number(flag) : flag)
  if (read.success) return read.data
  throw new CliError(
    2,
    `error: --timestamp: expected ISO 8601 or epoch milliseconds, not ${JSON.stringify(flag)}`,
  )
}

const textOf = (flag: unknown): string | undefined =>
  typeof flag === 'string' && flag !== '' ? flag : undefined
