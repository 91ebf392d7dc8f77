import { dueClock } from '../../../control/shapes/clocks.ts'
import { pageOf } from '../../../control/shapes/common.ts'
import { fromNow } from '../../../domain/text/duration.ts'
import type { ActionSpec } from '../../framework/action.ts'
import { type ControlApi, Refused } from '../../framework/control-api.ts'
import { Act } from '../../framework/form.tsx'
import { type ClocksInSight, type DueClock, linkTo, type Shell } from '../../framework/view.ts'

/** The number of clocks that are read for every page. */
const mostClocks = 20

/** Reads the clocks that a page shows and moves: of the selected client, or of all if they are few. */
export async function clocksInSight(api: ControlApi, clientId: string | undefined): Promise<ClocksInSight> {
  try {
    const { items, next } = await api.get('/clocks', pageOf(dueClock), {
      ...{ clientId, limit: String(mostClocks) },
    })
    return { clocks: items, areAll: next === null }
  } catch (error) {
    // The address may name a removed client; the page itself says so.
    if (error instanceof Refused && error.status === 404) return { clocks: [], areAll: true }
    throw error
  }
}

/** The single clock in sight; null for several. */
export const onlyClock = ({ clocks, areAll }: ClocksInSight): DueClock | null =>
  (areAll && clocks.length === 1 && clocks[0]) || null

/** The next event of several clocks: the one that is reached by the smallest advance. */
function nextOf(clocks: readonly DueClock[]): { readonly in: string; readonly words: string } | null {
  const soonest = clocks
    .flatMap(({ next, now }) => (next === null ? [] : [{ next, now }]))
    .toSorted((a, b) => a.next.dueAt - a.now - (b.next.dueAt - b.now))[0]
  if (soonest === undefined) return null
  const { next, now } = soonest
  return { in: fromNow(Math.max(next.dueAt, now), now), words: next.words }
}

/** The bar on every page that shows the time and moves it, for the selected client or for all. */
export function ClockBar({ shell }: { shell: Shell }) {
  const { clocks, areAll } = shell.clocksInSight
  if (clocks.length === 0) return null
  const only = onlyClock(shell.clocksInSight)
  const query = { clientId: shell.clientId ?? only?.clientId }
  const isPaused = clocks.every(({ mode }) => mode === 'manual')
  const runsAt = (speed: number) => clocks.every((clock) => clock.mode === 'real' && clock.speed === speed)
  const pace = (body: { mode: string; speed?: number }): ActionSpec => ({
    ...{ method: 'PUT', path: '/clock', query, body },
  })
  return (
    <section class="clock-bar" id="clock-bar" aria-label="Clock" data-fresh="">
      <a class="reading" href={linkTo({ clientId: query.clientId }, '/ui/clocks')}>
        {only === null ? (
          <span>{areAll ? `${clocks.length} clocks in UTC:` : 'All clocks, in UTC'}</span>
        ) : (
          <>
            <Now clock={only} /> UTC,
          </>
        )}{' '}
        {areAll ? pacesOf(clocks) : null}
      </a>
      <div class="clock-group">
        {isPaused ? (
          <Act shell={shell} id="bar-run" action={pace({ mode: 'real' })} label="Run" />
        ) : (
          <Act shell={shell} id="bar-pause" action={pace({ mode: 'manual' })} label="Pause" />
        )}
        {[1, 60].map((speed) => (
          <Act
            shell={shell}
            id={`bar-${speed}x`}
            action={pace({ mode: 'real', speed })}
            label={`${speed}x`}
            look={runsAt(speed) ? 'chosen' : 'plain'}
          />
        ))}
      </div>
      <div class="clock-group">
        {steps.map(([by, label]) => (
          <Act
            shell={shell}
            id={`bar-${by}`}
            action={{ method: 'POST', path: '/clock/advance', query, body: { by } }}
            label={label}
          />
        ))}
      </div>
      <NextEvent shell={shell} id="bar-next" clocks={areAll ? clocks : null} clientId={query.clientId} />
    </section>
  )
}

const steps = [
  ['1m', '+1 min'],
  ['1h', '+1 h'],
  ['1d', '+1 day'],
] as const

/** The button that moves time to the next due event and no further.
 *  @param clocks the clocks that it moves; null if they are too many to be read */
export function NextEvent({
  shell,
  id,
  clocks,
  clientId,
  look = 'plain',
}: {
  shell: Shell
  id: string
  clocks: readonly DueClock[] | null
  clientId: string | undefined
  look?: 'plain' | 'primary'
}) {
  const next = clocks === null ? undefined : nextOf(clocks)
  if (next === null) return <span class="faint">Nothing is due</span>
  return (
    <Act
      shell={shell}
      id={id}
      action={{ method: 'POST', path: '/clock/advance-to-next', query: { clientId } }}
      label={next === undefined ? 'Next event' : `Next event (${next.in})`}
      title={next?.words}
      look={look}
    />
  )
}

/** Describes the pace of a clock in a word. */
export const paceWords = ({ mode, speed }: Pick<DueClock, 'mode' | 'speed'>): string =>
  mode === 'manual' ? 'manual' : speed === 1 ? 'real' : `${speed}x`

/** The paces of clocks: `real`, or `2 manual, 1 real`. */
function pacesOf(clocks: readonly DueClock[]): string {
  const counts = Map.groupBy(clocks, paceWords)
  return [...counts].map(([pace, { length }]) => (counts.size === 1 ? pace : `${length} ${pace}`)).join(', ')
}

/** The time of a clock in UTC. `clocks.js` makes it tick. */
export function Now({ clock: { now, speed } }: { clock: Pick<DueClock, 'now' | 'speed'> }) {
  const iso = new Date(now).toISOString()
  return (
    <time datetime={iso} title={iso} data-now={String(now)} data-speed={String(speed)}>
      <span class="date">{iso.slice(0, 10)}</span> <span class="of-day">{iso.slice(11, 19)}</span>
    </time>
  )
}
