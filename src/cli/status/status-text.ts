import * as z from 'zod'
import { spanText } from '../../domain/explain/explain-text.ts'
import { oneLine } from '../../domain/one-line.ts'
import { type Paint, painter } from '../log/paint.ts'

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

/** What `GET /_emulator/status` answers. */
export const statusAnswer = z.object({
  version: z.string(),
  uptimeMs: z.number(),
  seed: z.string(),
  faults: z.number(),
  clients: z.array(clientStatus),
})

type Status = z.output<typeof statusAnswer>
type ClientStatus = Status['clients'][number]

/** More would only scroll away. */
const mostClients = 50

/** The state of an emulator as a page of text. */
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

/** `3 (2 COMPLETED, 1 CREATED)`, the most frequent first. */
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

/** Whole seconds, but of what is shorter the milliseconds too. */
const span = (ms: number): string => spanText(ms < 1_000 ? ms : Math.round(ms / 1_000) * 1_000).slice(1)

const grouped = (count: number): string => count.toLocaleString('en')
