import { demo } from '../../config.ts'
import { oneLine } from '../../domain/one-line.ts'
import { maskedUrl } from '../../domain/secrets.ts'
import { shellQuoted } from '../../domain/shell-quote.ts'
import { keysLine } from '../keys/key-table.ts'
import { painter } from '../log/paint.ts'
import type { StartFacts } from './start-facts.ts'

/** What a person reads when the emulator has started: at most 15 lines, of which the last is `Ready.` */
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

/** The rest about a start, for a person who asks for it. */
export function startDetails(facts: StartFacts): string {
  return `${table([
    ['Seed', `${oneLine(facts.seed)} (the same seed gives the same ids)`],
    ['Database', databaseWords(facts)],
    ...facts.fixtures.map((report) => ['Fixture', fixtureWords(report)] as const),
    ...controlRow(facts),
  ])}
${notes(facts)}`
}

/** The start as one object of the JSON log. Of the secrets it holds only a control token that was made up just now,
 *  which nobody could know otherwise, and the access token that everybody knows. */
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

/** A command that takes a token of somebody's own from a variable of the shell. */
const withoutToken = (command: string, accessToken: string): string =>
  accessToken === demo.accessToken
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
