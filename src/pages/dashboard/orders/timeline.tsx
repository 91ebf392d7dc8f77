import { fromNow, spanWords } from '../../../domain/text/duration.ts'
import { Moment } from '../../framework/parts.tsx'
import { linkTo, type Shell } from '../../framework/view.ts'
import type { Drawing, Mark, Row } from './timeline-drawing.ts'
import type { TimelineEvent } from './timeline-events.ts'

/** A drawing as SVG. It is one picture: the table beside it has the same facts. */
export function TimeLine({ drawing, summary }: { drawing: Drawing; summary: string }) {
  const { width, height, left, end, axisY, now, columns, gaps, rows } = drawing
  return (
    <section class="time-line" tabindex={0} aria-label="Time line, drawn">
      <svg
        viewBox={`0 0 ${round(width)} ${round(height)}`}
        width={round(width)}
        height={round(height)}
        role="img"
        aria-labelledby="time-line-title time-line-summary"
      >
        <title id="time-line-title">Time line</title>
        <desc id="time-line-summary">{summary}</desc>
        <rect
          class="to-come"
          x={round(now)}
          y={axisY}
          width={round(end - now + 24)}
          height={height - axisY}
        />
        {rows.map(({ y, height: rowHeight }) => (
          <line class="row-line" x1={0} x2={round(width)} y1={y + rowHeight / 2} y2={y + rowHeight / 2} />
        ))}
        {columns.map(({ x }) => (
          <line class="column-line" x1={round(x)} x2={round(x)} y1={axisY} y2={height} />
        ))}
        <line class="axis" x1={left} x2={round(end)} y1={axisY} y2={axisY} />
        {columns.map(({ x, label }) => (
          <g class="moment">
            <circle cx={round(x)} cy={axisY} r={3} />
            {label === null ? null : (
              <text x={round(x)} y={14}>
                {label}
              </text>
            )}
          </g>
        ))}
        {gaps.map(({ x, width: gapWidth, label }) =>
          label === null ? null : (
            <text class="gap" x={round(x + gapWidth / 2)} y={axisY + 15}>
              {label}
            </text>
          ),
        )}
        <line class="now" x1={round(now)} x2={round(now)} y1={18} y2={height} />
        <text class="now-word" x={round(now)} y={14}>
          now
        </text>
        {rows.map((row) => (
          <Line row={row} />
        ))}
      </svg>
    </section>
  )
}

function Line({ row: { name, y, segments, threads, marks } }: { row: Row }) {
  return (
    <g>
      <text class="row-name" x={4} y={y + 4}>
        {name}
      </text>
      {segments.map(({ x, width, tone, label, labelX, title }) => (
        <g class={`leg ${tone}`}>
          <title>{title}</title>
          <rect x={round(x)} y={y - 10} width={round(width)} height={20} rx={4} />
          {label === null ? null : (
            <text x={round(labelX)} y={y + 4}>
              {label}
            </text>
          )}
        </g>
      ))}
      {threads.map(({ x, to, done }) => (
        <line class={done ? 'thread' : 'thread open'} x1={round(x)} x2={round(to)} y1={y + 6} y2={y + 6} />
      ))}
      {marks.map((mark) => (
        <Sign mark={mark} y={y + 6} />
      ))}
    </g>
  )
}

function Sign({ mark, y }: { mark: Mark; y: number }) {
  const { lane, tone, done, count, label, title } = mark
  const x = round(mark.x)
  return (
    <g class={`mark ${lane} ${done ? tone : 'open'}`}>
      <title>{title}</title>
      <Shape mark={mark} x={x} y={y} />
      {lane === 'charge' || label === null ? null : (
        <text class="mark-word" x={x} y={y - 12}>
          {label}
        </text>
      )}
      {lane === 'charge' ? (
        <text class="inside" x={x} y={y + 4}>
          {label}
        </text>
      ) : null}
      {count > 1 && lane !== 'charge' ? (
        <text class="count" x={x + 9} y={y + 4}>
          ×{count}
        </text>
      ) : null}
    </g>
  )
}

/** A step is a diamond, a charge a plate, anything else a disc; with a tick or a cross for a good or bad end. */
function Shape({ mark: { lane, tone, done }, x, y }: { mark: Mark; x: number; y: number }) {
  if (lane === 'step') return <path d={`M${x} ${y - 7}l7 7-7 7-7-7z`} />
  if (lane === 'charge') return <rect x={x - 11} y={y - 9} width={22} height={18} rx={4} />
  const sign = done ? signs[tone] : undefined
  return (
    <>
      <circle cx={x} cy={y} r={lane === 'request' ? 5 : 7} />
      {lane === 'request' || sign === undefined ? null : <path class="sign" d={`M${x} ${y}${sign}`} />}
    </>
  )
}

/** The SVG paths of the signs inside marks, relative to the middle. */
const signs: Readonly<Record<string, string>> = {
  good: 'm-3.2 .2l2.3 2.4l4.2-4.8',
  bad: 'm-2.6-2.6l5.2 5.2m0-5.2l-5.2 5.2',
}

const round = (length: number): number => Math.round(length * 10) / 10

/** The time line of an order as a table: past and coming events with their distances. */
export function TimelineTable({
  story,
  now,
  shell,
}: {
  story: readonly TimelineEvent[]
  now: number
  shell: Shell
}) {
  const firstToCome = story.findIndex(({ done }) => !done)
  return (
    <table class="story">
      <caption>Past and scheduled events</caption>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">After</th>
          <th scope="col">What</th>
        </tr>
      </thead>
      <tbody>
        {story.map((event, index) => (
          <>
            {index === firstToCome ? <NowRow now={now} /> : null}
            <HappeningRow event={event} before={story[index - 1]} now={now} shell={shell} />
          </>
        ))}
        {firstToCome === -1 ? <NowRow now={now} /> : null}
      </tbody>
    </table>
  )
}

function NowRow({ now }: { now: number }) {
  return (
    <tr id="now" class="now">
      <td>
        <Moment at={now} />
      </td>
      <td />
      <td>now</td>
    </tr>
  )
}

const Until = ({ at }: { at: number }) => (
  <>
    {' – '}
    <Moment at={at} />
  </>
)

function HappeningRow({
  event: { id, at, until, done, tone, words, more, path, lane },
  before,
  now,
  shell,
}: {
  event: TimelineEvent
  before: TimelineEvent | undefined
  now: number
  shell: Shell
}) {
  const last = before?.until ?? before?.at ?? null
  const wait = at === null || last === null ? null : Math.max(0, at - last)
  return (
    <tr id={`story-${encodeURIComponent(id)}`} class={`${lane} ${done ? tone : 'open'}`}>
      <td>
        {at === null ? <span class="faint">open</span> : <Moment at={at} />}
        {until === undefined || until === at ? null : <Until at={until} />}
      </td>
      <td class="number faint">
        {!done && at !== null ? fromNow(at, now) : wait === null || wait === 0 ? '' : `+${spanWords(wait)}`}
      </td>
      <td>
        {path === undefined ? words : <a href={linkTo(shell, path)}>{words}</a>}
        {more === undefined ? null : <span class="faint"> {more}</span>}
      </td>
    </tr>
  )
}
