import type { Child } from 'hono/jsx'

/** What cannot be taken back: it is unfolded first, and says what goes. Works without JavaScript. */
export function Confirm({ id, label, children }: { id: string; label: string; children?: Child }) {
  return (
    <details class="confirm" id={id}>
      <summary class="button danger">{label}</summary>
      <div class="card">{children}</div>
    </details>
  )
}
