import type { Child } from 'hono/jsx'
import { statuses } from '../../domain/order/statuses.ts'

/** Shows a status as a coloured word. */
export function Status({ of }: { of: string }) {
  return <span class={`status ${toneOf(of)}`}>{of}</span>
}

interface MomentProps {
  readonly at: number | null
  /** The time in the row above: a list whose rows are lines shows a date once. */
  readonly after?: number | null | undefined
  /** The wall-clock time of the same event, for who points at it. */
  readonly wallAt?: number
}

/** Shows a time on a client's clock, in UTC. */
export function Moment({ at, after, wallAt }: MomentProps) {
  if (at === null) return <span class="faint">–</span>
  const iso = new Date(at).toISOString()
  const date = iso.slice(0, 10)
  const isOfSameDay = typeof after === 'number' && new Date(after).toISOString().startsWith(date)
  const title = wallAt === undefined ? iso : `${iso}\nwall-clock time ${new Date(wallAt).toISOString()}`
  return (
    <time datetime={iso} title={title} class={isOfSameDay ? 'same-day' : undefined}>
      <span class="date">{date}</span> {iso.slice(11, 19)}
    </time>
  )
}

/** An id or an address: complete in the page and as a tooltip, shortened on the screen. */
export function Short({ text }: { text: string }) {
  if (text === '') return <span class="faint">–</span>
  return (
    <span class="id" title={text}>
      {text}
    </span>
  )
}

/** The message of an empty list, with a way to fill it. */
export function Empty({ title, children }: { title: string; children?: Child }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  )
}

/** Shows a list of names and values. */
export function Facts({ rows }: { rows: readonly (readonly [name: Child, value: Child])[] }) {
  return (
    <dl class="facts">
      {rows.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Links to the next page of a list, and back to its start. */
export function Paging({
  first,
  next,
  words: [firstWords, nextWords] = ['Newest', 'Older'],
}: {
  first: string | null
  next: string | null
  words?: readonly [first: string, next: string]
}) {
  if (first === null && next === null) return null
  return (
    <nav class="paging" aria-label="Pages">
      {first === null ? <span /> : <a href={first}>{firstWords}</a>}
      {next === null ? <span class="faint">That is all.</span> : <a href={next}>{nextWords}</a>}
    </nav>
  )
}

const good = ['delivered', 'accepted', 'paid', 'authorised']
const bad = ['paused', 'dead', 'refused', 'timeout', 'connection']
const waiting = ['pending', 'held', 'unknown', 'skipped']

/** A meaning that a colour stands for. */
export type Tone = 'good' | 'bad' | 'waiting' | 'other'

/** The colour of a status. Unknown words (a scenario may write any) are neutral. */
export function toneOf(status: string): Tone {
  const known = statuses.find(({ name }) => name === status)
  if (known !== undefined) return known.tone
  if (good.includes(status)) return 'good'
  if (bad.includes(status)) return 'bad'
  return waiting.includes(status) ? 'waiting' : 'other'
}

/** A confirmation for an irreversible act: it is unfolded first, and says what will be lost. Works without
 *  JavaScript. */
export function Confirm({ id, label, children }: { id: string; label: string; children?: Child }) {
  return (
    <details class="confirm" id={id}>
      <summary class="button danger">{label}</summary>
      <div class="card">{children}</div>
    </details>
  )
}

/** Shows headers as they were sent, one per line. */
export function HeaderTable({
  headers,
  caption,
}: {
  headers: Readonly<Record<string, string>>
  caption: string
}) {
  const rows = Object.entries(headers)
  if (rows.length === 0) return <p class="hint">No headers are stored.</p>
  return (
    <table class="headers">
      <caption>{caption}</caption>
      <tbody>
        {rows.map(([name, value]) => (
          <tr>
            <th scope="row">{name}</th>
            <td>
              <code>{value}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
