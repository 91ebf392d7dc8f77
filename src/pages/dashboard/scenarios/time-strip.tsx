import type { z } from 'zod'
import type { explanation } from '../../../control/shapes/scenario.ts'
import { formatDuration } from '../../../domain/duration.ts'

type Row = z.output<typeof explanation>['rows'][number]

/** With more moments than this, labels would touch each other on a phone. */
const labelledAtMost = 7
const lanes = { change: 28, webhook: 64 } as const

/** What happens, drawn: moments from left to right, in equal steps because some lie seconds apart and others months.
 *  All of it stands in the table too, so it is one picture with one name for those who cannot see it. */
export function TimeStrip({ rows }: { rows: readonly Row[] }) {
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

function Dot({ row, left, shift }: { row: Row; left: string; shift: number }) {
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

/** Moments of the order, not of the wall: `+5s`. */
export function after(ms: number): string {
  if (ms === 0) return '0s'
  const days = Math.floor(ms / dayMs)
  const rest = ms % dayMs
  return `+${[...(days > 0 ? [`${days}d`] : []), ...(rest > 0 ? [formatDuration(rest)] : [])].join(' ')}`
}

const dayMs = 86_400_000

/** What one row says, in a line. */
function wordsOf(row: Row): string {
  if (row.type === 'webhook') return `webhook ${row.orderStatus}${row.sent ? '' : ', not sent'}`
  return row.changes.map(({ what, to }) => (to === undefined ? what : `${what} ${to}`)).join(', ')
}

function toneOf(row: Row): 'odd' | 'bad' | 'good' | 'plain' {
  if (row.type === 'webhook' && (!row.sent || row.late || row.wrong !== '')) return 'odd'
  const reached = row.type === 'webhook' ? [row.orderStatus] : row.changes.map(({ to }) => to)
  if (reached.includes('FAILED')) return 'bad'
  return reached.includes('COMPLETED') ? 'good' : 'plain'
}

/** Pixels to the side, for those that stand at one moment: towards the middle. */
function shiftOf(index: number, rows: readonly Row[]): number {
  const { afterMs, type } = rows[index] ?? {}
  const before = rows.slice(0, index).filter((row) => row.afterMs === afterMs && row.type === type).length
  return before * 13 * (afterMs === rows.at(-1)?.afterMs && afterMs !== rows[0]?.afterMs ? -1 : 1)
}

/** Room at both ends for a dot, in percent. */
const place = (index: number, count: number): number => (count < 2 ? 50 : 3 + (index * 94) / (count - 1))

const labelling = (count: number) => (index: number) =>
  count <= labelledAtMost || index === 0 || index === count - 1 || index === Math.floor((count - 1) / 2)

function anchor(index: number, count: number): 'start' | 'middle' | 'end' {
  if (count > 1 && index === 0) return 'start'
  return count > 1 && index === count - 1 ? 'end' : 'middle'
}
