import { orList } from '../text/issue-words.ts'
import type { ExplainedChange, ExplainedRow, ExplainedWebhook, Explanation } from './explanation.ts'

/** Formats an explanation as text, without colours. */
export function explainText(explanation: Explanation): string {
  const { id, description, tests, order, rows, webhookRules, answerRules, drawn, cut } = explanation
  const { kind, fiatAmount, currencyId, createdAt } = order
  const sections = [
    [`${id}: ${description}`, ...(tests === '' ? [] : [`Tests: ${tests}`])],
    [
      `For ${explanation.for === null ? 'every kind of order' : orList(explanation.for)}; ` +
        `here a ${kind} of ${fiatAmount} ${currencyId}, created at ${momentText(createdAt)}:`,
    ],
    table(rows.map((row) => rowCells(row))),
    section('The first webhook, signed:', exampleLines(explanation)),
    section('Webhooks:', webhookRules),
    section('Answers:', answerRules),
    drawn.length === 0 ? [] : [`Chosen by the seed ${order.seed}: ${drawn.join(', ')}`],
    [cut ?? 'Nothing more happens automatically.'],
  ]
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')
}

/** A duration in two or three units: `40m`, `1d 2h`, `30d 23h 59m`. */
export function spanText(ms: number): string {
  const parts = spanUnits.reduce<{ left: number; words: string[] }>(
    ({ left, words }, [unit, size]) => {
      const count = Math.floor(left / size)
      return { left: left - count * size, words: count === 0 ? words : [...words, `${count}${unit}`] }
    },
    { left: Math.abs(ms), words: [] },
  )
  return `${ms < 0 ? '-' : '+'}${parts.words.join(' ') || '0s'}`
}

const spanUnits = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const

function exampleLines({ example }: Explanation): string[] {
  if (example === null) return []
  return [...Object.entries(example.headers).map(([name, value]) => `${name}: ${value}`), example.body]
}

function rowCells(row: ExplainedRow): string[] {
  const words = row.type === 'webhook' ? webhookWords(row) : changeWords(row)
  const which = row.charge === 1 ? '' : `charge ${row.charge}: `
  return [spanText(row.afterMs), momentText(row.at), `${which}${words}`]
}

function changeWords({ changes, assumed, errorCode }: ExplainedChange): string {
  const words = changes.map(({ what, from, to }) => {
    if (from === undefined) return what === 'step' ? 'a step with no visible change' : (to ?? what)
    if (what !== 'order') return `${what} ${from} to ${to}`
    return `${from} to ${to}${to === 'FAILED' && errorCode !== null ? ` with ${errorCode}` : ''}`
  })
  const happens = words.length === 0 ? 'nothing changes' : words.join(', ')
  return assumed === null ? happens : `${happens} (${assumed})`
}

function webhookWords({ orderStatus, orderType, sent, late, wrong }: ExplainedWebhook): string {
  const facts = [
    ...(late ? ['held back until now'] : []),
    ...(wrong === '' ? [] : [wrong]),
    ...(sent ? [] : ['no webhook URL: not sent']),
  ]
  return `  webhook ${orderStatus}, ${orderType}${facts.length === 0 ? '' : ` (${facts.join('; ')})`}`
}

const momentText = (at: number): string => new Date(at).toISOString().replace('.000Z', 'Z').replace('T', ' ')

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)]
}

function table(rows: readonly (readonly string[])[]): string[] {
  // Not spread into Math.max, whose number of arguments is limited by the stack.
  const widths = [0, 1].map((column) =>
    rows.reduce((widest, cells) => Math.max(widest, cells[column]?.length ?? 0), 0),
  )
  return rows.map((cells) => `  ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`)
}
