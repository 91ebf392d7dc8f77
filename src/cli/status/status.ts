import * as z from 'zod'
import { type Paint, painter } from '../../conform/report/terminal-style.ts'
import { spanText } from '../../domain/explain/explain-text.ts'
import { oneLine } from '../../domain/text/issue-words.ts'
import { shellQuoted } from '../../domain/text/shell.ts'
import { clientVariables } from '../../pages/client-commands.ts'
import { CliError } from '../cli-error.ts'
import { controlCall, nobodyAnswers, notAnEmulator, Refused, Unreachable } from '../control-call.ts'
import { type ControlAccess, controlAccess } from '../emulator-url.ts'
import type { Terminal } from '../terminal.ts'

const counts = z.record(z.string(), z.number())

const clientStatus = z.object({
  clientId: z.string(),
  clock: z.object({ mode: z.enum(['real', 'manual']), now: z.number(), speed: z.number() }),
  webhookUrl: z.string().nullable(),
  orders: counts,
  deliveries: counts,
  nextDueAt: z.number().nullable(),
  faults: z.number(),
})

/** The schema of the answer of `GET /_emulator/status`. */
const statusAnswer = z.object({
  version: z.string(),
  uptimeMs: z.number(),
  seed: z.string(),
  faults: z.number(),
  clients: z.array(clientStatus),
})

type Status = z.output<typeof statusAnswer>
type ClientStatus = Status['clients'][number]

/** The maximum number of clients that `status` lists. */
const mostClients = 50

/** Formats the state of an emulator. */
export function statusText(
  url: string,
  { version, uptimeMs, seed, faults, clients }: Status,
  colours: boolean,
): string {
  const paint = painter(colours)
  const left = clients.length - mostClients
  return [
    `${url}: version ${version}, up ${span(uptimeMs)}, seed ${oneLine(seed, 100)}`,
    ...clients.slice(0, mostClients).map((client) => clientText(client, paint)),
    ...(left > 0 ? [`and ${left} more clients; use \`--client\` to show one, or \`--json\` for all`] : []),
    ...(faults > 0 ? [`faults planned for all clients: ${faults}`] : []),
  ].join('\n\n')
}

function clientText(client: ClientStatus, paint: Paint): string {
  const rows = [
    ['clock', clockWords(client.clock)],
    ['orders', countWords(client.orders)],
    ['deliveries', countWords(client.deliveries)],
    ['next due', dueWords(client)],
    [
      'webhooks',
      client.webhookUrl === null ? 'no URL is registered' : `go to ${oneLine(client.webhookUrl, 300)}`,
    ],
    ...(client.faults > 0 ? [['faults', `${client.faults} planned`]] : []),
  ] as const
  const lines = rows.map(([name = '', words = '']) => `  ${paint('dim', name.padEnd(12))}${words}`)
  return [paint('bold', oneLine(client.clientId, 100)), ...lines].join('\n')
}

/** Formats counts, the highest first: `3 (2 COMPLETED, 1 CREATED)`. */
function countWords(counted: Readonly<Record<string, number>>): string {
  const rows = Object.entries(counted).toSorted(([, a], [, b]) => b - a)
  const sum = rows.reduce((before, [, count]) => before + count, 0)
  if (sum === 0) return 'none'
  return `${grouped(sum)} (${rows.map(([name, count]) => `${grouped(count)} ${name}`).join(', ')})`
}

function clockWords({ mode, now, speed }: ClientStatus['clock']): string {
  const pace = mode === 'manual' ? 'manual, stopped at ' : speed === 1 ? 'real, ' : `${speed}x, `
  return `${pace}${momentText(now)}`
}

function dueWords({ nextDueAt, clock: { now } }: ClientStatus): string {
  if (nextDueAt === null) return 'nothing'
  return nextDueAt <= now ? 'now' : `in ${span(nextDueAt - now)} (${momentText(nextDueAt)})`
}

const momentText = (at: number): string => new Date(at).toISOString().replace('.000Z', 'Z')

/** Formats a duration; from one second on in whole seconds. */
const span = (ms: number): string => spanText(ms < 1_000 ? ms : Math.round(ms / 1_000) * 1_000).slice(1)

const grouped = (count: number): string => count.toLocaleString('en')

/** Runs `status`: shows the state of a running emulator.
 *  @throws CliError */
export async function status(flags: Readonly<Record<string, unknown>>, terminal: Terminal): Promise<number> {
  const access = controlAccess(flags, terminal.env)
  const clientId = typeof flags.client === 'string' ? flags.client : undefined
  const isJson = flags.json === true
  if (flags.env === true) {
    const named = clientId ?? (terminal.env.EMULATOR_CLIENT_ID || 'demo-client')
    const client = await ask(access, `/clients/${encodeURIComponent(named)}`, credentials)
    const variables = clientVariables(access.url, client)
    terminal.out(isJson ? JSON.stringify(variables) : exports(variables))
    return 0
  }
  const query = clientId === undefined ? '' : `?${new URLSearchParams({ clientId })}`
  const answer = await ask(access, `/status${query}`, statusAnswer)
  terminal.out(isJson ? JSON.stringify(answer) : statusText(access.url, answer, terminal.colours))
  return 0
}

const credentials = z.object({
  clientId: z.string(),
  apiSecret: z.string(),
  accessToken: z.string(),
  webhookSecret: z.string(),
})

/** @throws CliError */
async function ask<T extends z.ZodType>(access: ControlAccess, path: string, shape: T): Promise<z.output<T>> {
  const answer = await controlCall(access, 'GET', path).catch((error: unknown) => {
    if (error instanceof Unreachable) throw nobodyAnswers(access.url, error)
    if (error instanceof Refused)
      throw new CliError(2, `error: ${access.url} rejects the call: ${error.message}`)
    throw error
  })
  const read = shape.safeParse(answer)
  if (read.success) return read.data
  throw notAnEmulator(access.url, 200)
}

const exports = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .map(([name, value]) => `export ${name}=${shellQuoted(value)}`)
    .join('\n')
