import type { DueClock } from './due-clock.ts'

/** What a clock reads, in UTC. `clocks.js` lets it tick, from what it read when the page was made. */
export function Now({ clock: { now, speed } }: { clock: Pick<DueClock, 'now' | 'speed'> }) {
  const iso = new Date(now).toISOString()
  return (
    <time datetime={iso} title={iso} data-now={String(now)} data-speed={String(speed)}>
      <span class="date">{iso.slice(0, 10)}</span> <span class="of-day">{iso.slice(11, 19)}</span>
    </time>
  )
}
