import type * as z from 'zod'
import { dueClock } from '../../../control/shapes/clocks.ts'
import { pageOf } from '../../../control/shapes/common.ts'
import { overview as overviewShape } from '../../../control/shapes/overview.ts'
import { fromNow } from '../../../domain/text/duration.ts'
import { recentlyKept } from '../../../journal/recent.ts'
import { wallNow } from '../../../time/wall.ts'
import { toneOf } from '../../framework/parts.tsx'
import {
  type DashboardPage,
  type DueClock,
  deliveryPath,
  linkTo,
  pathOfNext,
  type Shell,
} from '../../framework/view.ts'
import { FirstSteps, readFirstSteps } from '../orders/first-steps.tsx'

type Overview = z.output<typeof overviewShape>
type Attempt = Overview['attempts'][number]

/** `/_emulator/`: what there is, what went wrong of late, and what is due next. */
export const overviewPage: DashboardPage = {
  path: '/',
  show: async (asked) => {
    const { api, shell } = asked
    const { clientId } = shell
    const [overview, clocks] = await Promise.all([
      api.get('/overview', overviewShape, { clientId }),
      api.get('/clocks', pageOf(dueClock), { clientId, limit: String(mostClocks) }),
    ])
    const isNew = Object.keys(overview.orders).length === 0
    return {
      title: 'Overview',
      isLive: true,
      body: (
        <>
          <div class="overview">
            <Counts
              shell={shell}
              title="Orders"
              counts={overview.orders}
              path="/ui/orders"
              none="No orders yet."
            />
            <Counts
              shell={shell}
              title="Webhooks"
              counts={overview.deliveries}
              path="/ui/deliveries"
              none="No webhooks yet."
            />
            <Due shell={shell} clocks={clocks.items} areAll={clocks.next === null} />
            <Refusals shell={shell} refusals={overview.refusals} />
            <Attempts shell={shell} attempts={overview.attempts} />
          </div>
          {isNew ? <FirstSteps shell={shell} {...(await readFirstSteps(asked))} /> : null}
        </>
      ),
    }
  },
}

/** The clocks that are searched for the next events, and the events that are shown. */
const mostClocks = 100
const mostEvents = 5

/** Counts by status, each a link to the list of just these. */
function Counts({
  shell,
  title,
  counts,
  path,
  none,
}: {
  shell: Shell
  title: string
  counts: Readonly<Record<string, number>>
  path: string
  none: string
}) {
  const rows = Object.entries(counts).toSorted(([, a], [, b]) => b - a)
  const all = rows.reduce((sum, [, count]) => sum + count, 0)
  return (
    <section class="card" aria-label={title}>
      <h2>
        {title} <span class="count number">{all.toLocaleString('en')}</span>
      </h2>
      {all === 0 ? (
        <p class="faint">{none}</p>
      ) : (
        <ul class="counts bare">
          {rows.map(([status, count]) => (
            <li>
              <a href={linkTo(shell, path, { status })} class={`tally ${toneOf(status)}`}>
                <strong class="number">{count.toLocaleString('en')}</strong> {status}
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** What is due next on the clocks, the soonest first. */
function Due({ shell, clocks, areAll }: { shell: Shell; clocks: readonly DueClock[]; areAll: boolean }) {
  const events = clocks
    .flatMap(({ clientId, now, next }) => (next === null ? [] : [{ clientId, now, next }]))
    .toSorted((a, b) => a.next.dueAt - a.now - (b.next.dueAt - b.now))
  return (
    <section class="card" aria-label="Due next">
      <h2>Due next</h2>
      {events.length === 0 ? <p class="faint">Nothing is due.</p> : null}
      <ul class="bare lines">
        {events.slice(0, mostEvents).map((event) => (
          <DueEvent shell={shell} {...event} />
        ))}
      </ul>
      {events.length > mostEvents || !areAll ? (
        <p class="hint">
          <a href={linkTo(shell, '/ui/clocks')}>All clocks</a>
          {areAll ? '' : `; these are of the first ${mostClocks}`}
        </p>
      ) : null}
    </section>
  )
}

function DueEvent({
  shell,
  clientId,
  now,
  next,
}: {
  shell: Shell
  clientId: string
  now: number
  next: NonNullable<DueClock['next']>
}) {
  const { dueAt, words, requestId } = next
  return (
    <li>
      <span class="nowrap number">{fromNow(Math.max(dueAt, now), now)}</span>
      <span>
        <a href={linkTo(shell, pathOfNext(next) ?? '/ui/clocks')}>{words}</a>{' '}
        {requestId === null ? null : <span class="id mono">{requestId}</span>}
        {shell.clientId === undefined ? <span class="faint"> {clientId}</span> : null}
      </span>
    </li>
  )
}

const mostCauses = 6

/** Rejected calls by cause, most frequent first. */
function Refusals({ shell, refusals }: { shell: Shell; refusals: Overview['refusals'] }) {
  const all = refusals.reduce((sum, { count }) => sum + count, 0)
  return (
    <section class="card" aria-label="Rejected calls">
      <h2>
        Rejected calls <span class="count number">{all.toLocaleString('en')}</span>
      </h2>
      {all === 0 ? <p class="faint">None since the start.</p> : null}
      <ul class="bare lines">
        {refusals.slice(0, mostCauses).map(({ cause, count }) => (
          <li>
            <span class="number">{count.toLocaleString('en')}</span>
            <a href={linkTo(shell, '/ui/requests', { 'diagnosis.cause': cause })}>{cause}</a>
          </li>
        ))}
      </ul>
      {refusals.length > mostCauses ? (
        <p class="hint">
          <a href={linkTo(shell, '/ui/requests', { 'diagnosis.cause': '*' })}>
            And {refusals.length - mostCauses} other causes
          </a>
        </p>
      ) : null}
    </section>
  )
}

/** The latest webhook attempts as a strip, oldest left, with their success rate. */
function Attempts({ shell, attempts }: { shell: Shell; attempts: readonly Attempt[] }) {
  const accepted = attempts.filter(({ outcome }) => outcome === 'accepted').length
  const failed = attempts
    .filter(({ outcome }) => outcome !== 'accepted')
    .slice(-mostFailed)
    .reverse()
  const slowest = attempts.toSorted((a, b) => b.ms - a.ms).slice(0, mostSlow)
  return (
    <section class="card wide" aria-label="Latest webhook attempts">
      <h2>Latest webhook attempts</h2>
      {attempts.length === 0 ? (
        <p class="faint">None since the start.</p>
      ) : (
        <>
          <p class="rate">
            <strong class="number">{Math.round((100 * accepted) / attempts.length)} %</strong> accepted:{' '}
            {accepted} of {attempts.length}
          </p>
          <Strip shell={shell} attempts={attempts} />
          <div class="halves">
            <div>
              <h3>Failed last</h3>
              {failed.length === 0 ? <p class="faint">None.</p> : null}
              <ul class="bare lines">
                {failed.map((attempt) => (
                  <AttemptLine shell={shell} attempt={attempt} lead={fromNow(attempt.wallAt, wallNow())} />
                ))}
              </ul>
            </div>
            <div>
              <h3>Slowest attempts</h3>
              <ul class="bare lines">
                {slowest.map((attempt) => (
                  <AttemptLine
                    shell={shell}
                    attempt={attempt}
                    lead={`${attempt.ms.toLocaleString('en')} ms`}
                  />
                ))}
              </ul>
            </div>
          </div>
        </>
      )}
    </section>
  )
}

/** Of a column, its greatest height, and one that is always seen. */
const column = { width: 10, gap: 2, height: 40, least: 6 }
/** An answer that takes this long fills its column. */
const fullMs = 10_000

/** A column for each attempt, the higher the longer it took. */
function Strip({ shell, attempts }: { shell: Shell; attempts: readonly Attempt[] }) {
  return (
    <svg
      class="attempts-strip"
      viewBox={`0 0 ${recentlyKept.attempts * column.width} ${column.height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {attempts.map((attempt, index) => {
        const height = heightOf(attempt)
        return (
          <a href={linkTo(shell, deliveryPath(attempt.deliveryId))} tabindex={-1}>
            <title>{attemptWords(attempt)}</title>
            <rect
              class={toneOf(attempt.outcome)}
              x={index * column.width}
              y={column.height - height}
              width={column.width - column.gap}
              height={height}
            />
          </a>
        )
      })}
    </svg>
  )
}

function heightOf({ ms }: Attempt): number {
  const share = Math.min(1, Math.log10(1 + ms) / Math.log10(1 + fullMs))
  return Math.round(column.least + (column.height - column.least) * share)
}

const mostFailed = 3
const mostSlow = 3

function AttemptLine({ shell, attempt, lead }: { shell: Shell; attempt: Attempt; lead: string }) {
  const { deliveryId, orderStatus, requestId, outcome, status, url } = attempt
  return (
    <li>
      <span class="nowrap number">{lead}</span>
      <span>
        <a href={linkTo(shell, deliveryPath(deliveryId))}>{orderStatus}</a>{' '}
        <span class="id mono">{requestId}</span> {outcome}
        {status === null ? '' : ` ${status}`}{' '}
        <span class="id faint" title={url}>
          {url}
        </span>
      </span>
    </li>
  )
}

const attemptWords = ({ orderStatus, requestId, n, outcome, status, ms }: Attempt): string =>
  `${orderStatus} ${requestId}, attempt ${n}: ${outcome}${status === null ? '' : ` ${status}`} in ${ms} ms`
