import { Command, Option } from 'commander'
import { parseDuration } from '../../domain/text/duration.ts'
import { CliError } from '../cli-error.ts'
import { type ControlAccess, controlAccess } from '../emulator-url.ts'
import { shellQuote } from '../program-call.ts'
import type { Environment } from '../terminal.ts'

/** The kinds of objects that `--for` accepts. */
const waitedFor = ['order', 'delivery', 'request'] as const

/** The options of `wait`. */
export interface WaitOptions extends ControlAccess {
  /** The kind of object to wait for; null to wait for the emulator's health. */
  readonly kind: (typeof waitedFor)[number] | null
  readonly where: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly clientId: string | null
  readonly json: boolean
}

/** Reads the flags of `wait`.
 *  @throws CliError */
export function readWaitOptions(flags: Readonly<Record<string, unknown>>, env: Environment): WaitOptions {
  const short = waitedFor.find((name) => flags[name] !== undefined)
  if (short !== undefined) {
    const where = `--for ${short} --where ${shellQuote(`requestId=${flags[short]}`)}`
    throw new CliError(2, `error: unknown option '--${short}'; use \`${where}\``)
  }
  const kind = waitedFor.find((name) => name === flags.for) ?? null
  if (kind === null && (flags.where !== undefined || flags.client !== undefined)) {
    throw new CliError(
      2,
      'error: `--where` and `--client` work only with `--for order`, `delivery` or `request`',
    )
  }
  return {
    kind,
    where: whereIn(flags.where),
    timeoutMs: timeoutIn(flags.timeout),
    clientId: typeof flags.client === 'string' ? flags.client : null,
    ...controlAccess(flags, env),
    json: flags.json === true,
  }
}

/** Parses `requestId=r1,orderStatus=COMPLETED`, also given several times. A comma without a following `name=`
 *  belongs to the value. */
function whereIn(flag: unknown): Record<string, string> {
  const pairs = (Array.isArray(flag) ? flag : []).flatMap((text) => String(text).split(/,(?=[^,=]+=)/))
  const where: Record<string, string> = {}
  for (const pair of pairs) {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? []
    if (name === undefined || value === undefined) {
      throw new CliError(2, `error: --where: expected name=value, not ${JSON.stringify(pair)}`)
    }
    if (Object.hasOwn(where, name)) throw new CliError(2, `error: --where: ${name} occurs more than once`)
    where[name] = value
  }
  return where
}

const usualTimeoutMs = 30_000
const longestTimeoutMs = 600_000

function timeoutIn(flag: unknown): number {
  if (typeof flag !== 'string') return usualTimeoutMs
  const ms = parseDuration(flag)
  if (ms !== null && ms <= longestTimeoutMs) return ms
  throw new CliError(
    2,
    `error: --timeout: expected a duration up to 10m, like 500ms or 10s, not ${JSON.stringify(flag)}${/^\d+$/.test(flag) ? `; did you mean ${flag}s?` : ''}`,
  )
}

/** Builds the `wait` command. */
export function waitCommand(): Command {
  const command = new Command('wait')
    .description('wait until an emulator is healthy, or until an order, delivery or request matches')
    .allowExcessArguments(false)
    .addOption(new Option('--for <kind>', 'wait for an order, a delivery or a request').choices(waitedFor))
    .option(
      '--where <name=value,...>',
      'fields as the control API shows them; a value may end in * (repeatable)',
      (text: string, before: readonly string[] = []) => [...before, text],
    )
    .option('--timeout <duration>', 'how long to wait at most, like 500ms, 10s, 2m (default: 30s)')
    .option('--client <clientId>', 'look only at this client')
    .option('--url <url>', 'URL of the emulator (EMULATOR_URL; default: http://127.0.0.1:4600)')
    .option('--control-token <text>', 'control token, if the emulator requires one (EMULATOR_CONTROL_TOKEN)')
    .option('--json', 'print the match as JSON')
    .addHelpText(
      'after',
      `
It also waits for the emulator to start. It moves no clock.

Exit code 0: matched; 1: no match in time, or the emulator did not answer or failed; 2: wrong usage, like an unknown
field, client or control token.

Examples:
  $ payment-order-emulator wait --timeout 1m
  $ payment-order-emulator wait --for order --where requestId=r1,orderStatus=COMPLETED
  $ payment-order-emulator wait --for delivery --where 'requestId=r1' --where status=delivered --json
  $ payment-order-emulator wait --for request --where operation=create-order,body.fiatAmount=10.00

Through npm: npm start --silent -- wait ... --json | jq .orderId`,
    )
  // People try these flags; the error names the right form.
  for (const kind of waitedFor) command.addOption(new Option(`--${kind} <requestId>`).hideHelp())
  return command
}
