import { fromNow, spanWords } from '../../../domain/text/duration.ts'
import { textLines } from '../../../domain/text/text-width.ts'
import { Moment } from '../../framework/parts.tsx'
import { linkTo, type Shell } from '../../framework/view.ts'
import type { Drawing, Mark, Row } from './timeline-drawing.ts'
import type { TimelineEvent } from './timeline-events.ts'

/** A drawing as SVG. Its points are links with a card; the table beside it has the same facts. */
export function TimeLine({
  drawing,
  summary,
  now: moment,
  shell,
}: {
  drawing: Drawing
  summary: string
  now: number
  shell: Shell
}) {
  const { width, height, left, end, axisY, now, columns, gaps, rows } = drawing
  return (
    <section class="time-line drawn" tabindex={0} aria-label="Time line, drawn">
      <svg
        viewBox={`0 0 ${round(width)} ${round(height)}`}
        width={round(width)}
        height={round(height)}
        aria-labelledby="time-line-title"
        aria-describedby="time-line-summary"
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
          <Line row={row} drawing={drawing} now={moment} shell={shell} />
        ))}
      </svg>
    </section>
  )
}

/** A drawing as a small picture in a list, without words.
 *  @param isPlan whether it shows what would happen, so that there is no present */
export function SmallTimeLine({
  drawing,
  words,
  isPlan = false,
}: {
  drawing: Drawing
  words: string
  isPlan?: boolean
}) {
  const { width, height, now, rows } = drawing
  return (
    <svg
      class="time-line-small drawn"
      viewBox={`0 0 ${round(width)} ${height}`}
      width={round(width)}
      height={height}
      role="img"
      aria-label={words}
    >
      <title>{words}</title>
      {rows.map(({ y, segments, marks }) => (
        <>
          <line class="row-line" x1={0} x2={round(width)} y1={y} y2={y} />
          {segments.map((segment) => (
            <Segment segment={{ ...segment, label: null }} y={y} height={8} />
          ))}
          {isPlan ? null : <line class="now" x1={round(now)} x2={round(now)} y1={2} y2={height - 2} />}
          {marks.map((mark) => (
            <g class={signClass(mark)}>
              <Shape mark={mark} x={round(mark.x)} y={y} />
            </g>
          ))}
        </>
      ))}
    </svg>
  )
}

function Segment({
  segment: { x, width, tone, label, labelX, title },
  y,
  height,
}: {
  segment: Row['segments'][number]
  y: number
  height: number
}) {
  return (
    <g class={`leg ${tone}`}>
      <title>{title}</title>
      <rect x={round(x)} y={y - height / 2} width={round(width)} height={height} rx={4} />
      {label === null ? null : (
        <text x={round(labelX)} y={y + 4}>
          {label}
        </text>
      )}
    </g>
  )
}

interface LineProps {
  readonly row: Row
  readonly drawing: Drawing
  readonly now: number
  readonly shell: Shell
}

/** A row. Its words come before its points, so that cards cover them. */
function Line({ row: { name, y, segments, threads, marks }, drawing, now, shell }: LineProps) {
  return (
    <g>
      <text class="row-name" x={4} y={y + 4}>
        {name}
      </text>
      {segments.map((segment) => (
        <Segment segment={segment} y={y} height={20} />
      ))}
      {threads.map(({ x, to, done }) => (
        <line class={done ? 'thread' : 'thread open'} x1={round(x)} x2={round(to)} y1={y + 6} y2={y + 6} />
      ))}
      {marks.map((mark) => (
        <MarkWords mark={mark} y={y + 6} />
      ))}
      {marks.map((mark) => (
        <Point mark={mark} y={y + 6} drawing={drawing} now={now} shell={shell} />
      ))}
    </g>
  )
}

const signClass = ({ lane, tone, done }: Mark): string => `mark ${lane} ${done ? tone : 'open'}`

function MarkWords({ mark, y }: { mark: Mark; y: number }) {
  const { lane, count, countX, label, labelX } = mark
  if (lane === 'charge') return null
  return (
    <g class={signClass(mark)}>
      {label === null ? null : (
        <text class="mark-word" x={round(labelX)} y={y - 12}>
          {label}
        </text>
      )}
      {countX === null ? null : (
        <text class="count" x={round(countX)} y={y + 4}>
          ×{count}
        </text>
      )}
    </g>
  )
}

interface PointProps extends Pick<LineProps, 'drawing' | 'now' | 'shell'> {
  readonly mark: Mark
  readonly y: number
}

/** A mark as a link, with the card that its hover and focus show. */
function Point({ mark, y, drawing, now, shell }: PointProps) {
  const { lane, label, events } = mark
  const x = round(mark.x)
  return (
    <a
      id={`point-${encodeURIComponent(events[0]?.id ?? '')}`}
      href={hrefOf(mark, shell)}
      aria-label={events.map((event) => eventWords(event, now)).join('; ')}
    >
      <circle class="ring" cx={x} cy={y} r={11} />
      <g class={signClass(mark)}>
        <Shape mark={mark} x={x} y={y} />
        {lane === 'charge' ? (
          <text class="inside" x={x} y={y + 4}>
            {label}
          </text>
        ) : null}
      </g>
      <Card mark={mark} y={y} drawing={drawing} now={now} />
    </a>
  )
}

/** The page that all events of a mark have in common, else the row of the worst one in the table. */
function hrefOf({ events, tone }: Mark, shell: Shell): string {
  const [first] = events
  const { path, attempt } = first ?? {}
  const isShared = events.every((event) => event.path === path && (event.count ?? 1) === 1)
  if (path !== undefined && isShared && events.length === 1 && attempt !== undefined)
    return `${linkTo(shell, path, { attempt: String(attempt) })}#attempt`
  if (path !== undefined && isShared) return linkTo(shell, path)
  const shown = events.find((event) => event.tone === tone) ?? first
  return `#${rowId(shown?.id ?? '')}`
}

const rowId = (id: string): string => `story-${encodeURIComponent(id)}`

/** An event in one sentence, with its time on the client's clock. */
const eventWords = ({ at, words, more }: TimelineEvent, now: number): string =>
  [words, whenWords(at, now), ...(more === undefined ? [] : [more])].join(', ')

function whenWords(at: number | null, now: number): string {
  if (at === null) return 'open'
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} (${fromNow(at, now)})`
}

const cardWidth = 268
const cardLine = 15
const cardPadding = 9
/** The number of events that a card names. */
const mostNamed = 3

/** The card above a mark: what, when, and how it ended. The link's label says the same. */
function Card({ mark: { x, events }, y, drawing: { width }, now }: Omit<PointProps, 'shell'>) {
  const lines = cardLines(events, now)
  const height = lines.length * cardLine + 2 * cardPadding - 4
  const left = Math.min(Math.max(x - cardWidth / 2, 4), width - cardWidth - 4)
  const top = y - 12 - height
  return (
    <g class="point-card">
      <rect x={round(left)} y={top} width={cardWidth} height={height} rx={6} />
      {lines.map(({ text, isHead }, index) => (
        <text
          class={isHead ? 'head' : undefined}
          x={round(left + cardPadding)}
          y={top + cardPadding + 8 + index * cardLine}
        >
          {text}
        </text>
      ))}
    </g>
  )
}

/** The lines of a card. Several events have one line each for what and when, because the rows above are few. */
function cardLines(
  events: readonly TimelineEvent[],
  now: number,
): readonly { text: string; isHead: boolean }[] {
  const width = cardWidth - 2 * cardPadding
  const isOne = events.length === 1
  const named = events.slice(0, mostNamed).flatMap(({ at, words, more }) => [
    ...textLines(words, { lines: isOne ? 2 : 1, width: width * 0.92 }).map((text) => ({
      text,
      isHead: true,
    })),
    { text: whenWords(at, now), isHead: false },
    ...(isOne && more !== undefined
      ? textLines(more, { lines: 3, width }).map((text) => ({ text, isHead: false }))
      : []),
  ])
  const rest = events.length - mostNamed
  return rest > 0 ? [...named, { text: `and ${rest} more`, isHead: false }] : named
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
    <tr id={rowId(id)} class={`${lane} ${done ? tone : 'open'}`}>
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
