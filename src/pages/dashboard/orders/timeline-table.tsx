import { fromNow, spanWords } from '../../../domain/text/duration.ts'
import { Moment } from '../../framework/parts.tsx'
import { linkTo, type Shell } from '../../framework/view.ts'
import type { TimelineEvent } from './timeline-events.ts'

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
        {story.map((happening, index) => (
          <>
            {index === firstToCome ? <NowRow now={now} /> : null}
            <HappeningRow happening={happening} before={story[index - 1]} now={now} shell={shell} />
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
  happening: { id, at, until, done, tone, words, more, path, lane },
  before,
  now,
  shell,
}: {
  happening: TimelineEvent
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
