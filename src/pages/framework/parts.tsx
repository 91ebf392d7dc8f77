import type { Child } from 'hono/jsx'
import { statuses } from '../../domain/order/statuses.ts'

/** A status as a coloured word. */
export function Status({ of }: { of: string }) {
  return <span class={`status ${toneOf(of)}`}>{of}</span>
}

/** A moment of a client's clock, in UTC. */
export function Moment({ at }: { at: number | null }) {
  if (at === null) return <span class="faint">–</span>
  const iso = new Date(at).toISOString()
  return (
    <time datetime={iso} title={iso}>
      <span class="date">{iso.slice(0, 10)}</span> {iso.slice(11, 19)}
    </time>
  )
}

/** An id or an address: whole in the page and when somebody points at it, shortened for the eye. */
export function Short({ text }: { text: string }) {
  if (text === '') return <span class="faint">–</span>
  return (
    <span class="id" title={text}>
      {text}
    </span>
  )
}

/** What stands where there is nothing yet, with the step that changes that. */
export function Empty({ title, children }: { title: string; children?: Child }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  )
}

/** Names and what they stand for. */
export function Facts({ rows }: { rows: readonly (readonly [name: string, value: Child])[] }) {
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

/** The way to the next part of a list, and back to its start. */
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

/** What a colour says. */
export type Tone = 'good' | 'bad' | 'waiting' | 'other'

/** How a status is coloured. Words that nobody knows (a scenario may write any) are neither good nor bad. */
export function toneOf(status: string): Tone {
  const known = statuses.find(({ name }) => name === status)
  if (known !== undefined) return known.tone
  if (good.includes(status)) return 'good'
  if (bad.includes(status)) return 'bad'
  return waiting.includes(status) ? 'waiting' : 'other'
}

/** What cannot be taken back: it is unfolded first, and says what goes. Works without JavaScript. */
export function Confirm({ id, label, children }: { id: string; label: string; children?: Child }) {
  return (
    <details class="confirm" id={id}>
      <summary class="button danger">{label}</summary>
      <div class="card">{children}</div>
    </details>
  )
}

/** Headers as they were sent, each on a line of its own. */
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
