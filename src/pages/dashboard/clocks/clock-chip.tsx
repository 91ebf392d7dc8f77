import { dueClock } from '../../../control/shapes/clocks.ts'
import { pageOf } from '../../../control/shapes/common.ts'
import { fromNow } from '../../../domain/text/duration.ts'
import { type ControlApi, Refused } from '../../framework/control-api.ts'
import { Act } from '../../framework/form.tsx'
import { type DueClock, linkTo, type Shell } from '../../framework/view.ts'

/** The clock shown on the page: of the selected or only client; null for several. */
export async function clockInSight(
  api: ControlApi,
  { clientId, clients }: Pick<Shell, 'clientId' | 'clients'>,
): Promise<DueClock | null> {
  const [only] = clients?.length === 1 ? clients : []
  const wanted = clientId ?? only
  if (wanted === undefined) return null
  try {
    const { items } = await api.get('/clocks', pageOf(dueClock), { clientId: wanted })
    return items[0] ?? null
  } catch (error) {
    // The address may name a removed client; the page itself says so.
    if (error instanceof Refused && error.status === 404) return null
    throw error
  }
}

/** The clock on every page, with the link to the next due time. */
export function ClockChip({ shell }: { shell: Shell }) {
  const { clock } = shell
  if (clock === null) return null
  const { clientId, mode, now, next } = clock
  const wait = next === null ? 'nothing due' : `next ${fromNow(next.dueAt, now)}`
  return (
    <div class="clock-chip" id="clock-chip" data-fresh="">
      <a href={linkTo({ clientId }, '/ui/clocks')} title={next?.words}>
        <Now clock={clock} /> {mode}, {wait}
      </a>
      {next === null ? null : (
        <Act
          shell={shell}
          id="chip-to-next"
          action={{ method: 'POST', path: '/clock/advance-to-next', query: { clientId } }}
          label="To next due"
        />
      )}
    </div>
  )
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
