import type * as z from 'zod'
import type { explanation } from '../../../control/shapes/scenario.ts'
import { formatDuration } from '../../../domain/text/duration.ts'
import { Status } from '../../framework/parts.tsx'

type StripRow = z.output<typeof explanation>['rows'][number]

/** The number of times above which labels would overlap on a phone. */
const labelledAtMost = 7
const lanes = { change: 28, webhook: 64 } as const

/** The events of a timetable from left to right, in equal distances because some are seconds apart and others
 *  months. The table has the same facts, so it is one picture for screen readers. */
function TimeStrip({ rows }: { rows: readonly StripRow[] }) {
  const moments = [...new Set(rows.map(({ afterMs }) => afterMs))]
  const isLabelled = labelling(moments.length)
  const left = (afterMs: number) => `${place(moments.indexOf(afterMs), moments.length)}%`
  const words = `${moments.length} points in time, from ${after(moments[0] ?? 0)} to ${after(moments.at(-1) ?? 0)}`
  return (
    <svg class="strip" role="img" aria-label={`Time line: ${words}. The table below has all of it.`}>
      {Object.values(lanes).map((y) => (
        <line x1="0" x2="100%" y1={y} y2={y} class="strip-lane" />
      ))}
      <text x="0" y={lanes.change - 12} class="strip-name">
        Order
      </text>
      <text x="0" y={lanes.webhook - 12} class="strip-name">
        Webhooks
      </text>
      {rows.map((row, index) => (
        <Dot row={row} left={left(row.afterMs)} shift={shiftOf(index, rows)} />
      ))}
      {moments.map((afterMs, index) =>
        isLabelled(index) ? (
          <text x={left(afterMs)} y="96" class="strip-time" text-anchor={anchor(index, moments.length)}>
            {after(afterMs)}
          </text>
        ) : null,
      )}
    </svg>
  )
}

function Dot({ row, left, shift }: { row: StripRow; left: string; shift: number }) {
  return (
    <circle
      cx={left}
      cy={lanes[row.type]}
      r="6"
      class={`strip-dot ${toneOf(row)}`}
      transform={`translate(${shift} 0)`}
    >
      <title>{`${after(row.afterMs)}: ${wordsOf(row)}`}</title>
    </circle>
  )
}

/** Formats a time relative to the creation of the order: `+5s`. */
function after(ms: number): string {
  if (ms === 0) return '0s'
  const days = Math.floor(ms / dayMs)
  const rest = ms % dayMs
  return `+${[...(days > 0 ? [`${days}d`] : []), ...(rest > 0 ? [formatDuration(rest)] : [])].join(' ')}`
}

const dayMs = 86_400_000

/** Describes a row of the timetable in one line. */
function wordsOf(row: StripRow): string {
  if (row.type === 'webhook') return `webhook ${row.orderStatus}${row.sent ? '' : ', not sent'}`
  return row.changes.map(({ what, to }) => (to === undefined ? what : `${what} ${to}`)).join(', ')
}

function toneOf(row: StripRow): 'odd' | 'bad' | 'good' | 'plain' {
  if (row.type === 'webhook' && (!row.sent || row.late || row.wrong !== '')) return 'odd'
  const reached = row.type === 'webhook' ? [row.orderStatus] : row.changes.map(({ to }) => to)
  if (reached.includes('FAILED')) return 'bad'
  return reached.includes('COMPLETED') ? 'good' : 'plain'
}

/** The horizontal shift of events at the same time, towards the middle. */
function shiftOf(index: number, rows: readonly StripRow[]): number {
  const { afterMs, type } = rows[index] ?? {}
  const before = rows.slice(0, index).filter((row) => row.afterMs === afterMs && row.type === type).length
  return before * 13 * (afterMs === rows.at(-1)?.afterMs && afterMs !== rows[0]?.afterMs ? -1 : 1)
}

/** The position in percent, with room at both ends for a dot. */
const place = (index: number, count: number): number => (count < 2 ? 50 : 3 + (index * 94) / (count - 1))

const labelling = (count: number) => (index: number) =>
  count <= labelledAtMost || index === 0 || index === count - 1 || index === Math.floor((count - 1) / 2)

function anchor(index: number, count: number): 'start' | 'middle' | 'end' {
  if (count > 1 && index === 0) return 'start'
  return count > 1 && index === count - 1 ? 'end' : 'middle'
}

type Explanation = z.output<typeof explanation>
type Row = Explanation['rows'][number]

/** The events of an order under a scenario, without running it. */
export function Timetable({ of }: { of: Explanation }) {
  const charges = new Set(of.rows.map(({ charge }) => charge)).size
  return (
    <>
      <TimeStrip rows={of.rows} />
      <table class="timetable">
        <caption class="unseen">What happens, in order of time</caption>
        <thead>
          <tr>
            <th scope="col">After</th>
            {charges > 1 ? <th scope="col">Charge</th> : null}
            <th scope="col">What</th>
          </tr>
        </thead>
        <tbody>
          {of.rows.map((row) => (
            <tr>
              <td class="number">{after(row.afterMs)}</td>
              {charges > 1 ? <td>{row.charge}</td> : null}
              <td>
                <What row={row} />
                <Remark on={row} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {of.cut === null ? null : <p class="hint">{of.cut}</p>}
      <Rules title="Answers to calls" rules={of.answerRules} />
      <Rules title="Webhook failures" rules={of.webhookRules} />
      <Rules title="Random choices for this order, by seed" rules={of.drawn} />
    </>
  )
}

function What({ row }: { row: Row }) {
  if (row.type === 'webhook')
    return (
      <details>
        <summary>
          {row.sent ? 'Webhook' : 'No webhook URL: not sent'} <Status of={row.orderStatus} />{' '}
          <span class="faint">{row.orderType}</span>
        </summary>
        <pre tabindex={0}>
          <code>{row.body}</code>
        </pre>
      </details>
    )
  return (
    <>
      {row.changes.map(({ what, from, to }) => (
        <div>
          {what}
          {from === undefined ? null : <span class="faint"> {from} →</span>}{' '}
          {to === undefined ? null : <Status of={to} />}
        </div>
      ))}
    </>
  )
}

function Remark({ on }: { on: Row }) {
  const words = remarkOn(on)
  return words === '' ? null : <p class="hint">{words}</p>
}

function remarkOn(row: Row): string {
  if (row.type === 'webhook')
    return [row.late ? 'late' : '', row.wrong].filter((word) => word !== '').join('; ')
  const code = row.errorCode === null ? '' : `error code ${row.errorCode}`
  return [row.assumed ?? '', code].filter((word) => word !== '').join('; ')
}

function Rules({ title, rules }: { title: string; rules: readonly string[] }) {
  if (rules.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <ul class="rules">
        {rules.map((rule) => (
          <li>{rule}</li>
        ))}
      </ul>
    </>
  )
}
