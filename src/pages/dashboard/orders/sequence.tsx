import { raw } from 'hono/html'
import { mermaidOf } from '../../../domain/sequence/mermaid.ts'
import { messageWords, type Sequence, timesOf } from '../../../domain/sequence/sequence.ts'
import { sequenceSvg } from '../../../domain/sequence/svg.ts'
import { Curl } from '../../framework/form.tsx'
import { Moment } from '../../framework/parts.tsx'
import { deliveryPath, linkTo, requestPath, type Shell } from '../../framework/view.ts'

/** What happened to an order as arrows between lanes, with the same in words, and for a bug report. */
export function SequenceView({
  sequence,
  orderId,
  shell,
}: {
  sequence: Sequence
  orderId: string
  shell: Shell
}) {
  const file = (format: string) =>
    linkTo(shell, `/orders/${encodeURIComponent(orderId)}/sequence`, { format })
  return (
    <section class="card sequence-card" aria-labelledby="sequence">
      <h2 id="sequence">Sequence</h2>
      {sequence.messages.length === 0 ? (
        <p class="hint">Nothing has happened yet.</p>
      ) : (
        <section class="sequence-box" tabindex={0} aria-label="Sequence, drawn">
          {raw(sequenceSvg(sequence, 'sequence-drawing'))}
        </section>
      )}
      <p class="sequence-files">
        <a href={file('svg')} download={`order-${orderId}.svg`}>
          Download SVG
        </a>
        <a href={file('mermaid')} download={`order-${orderId}.mmd`}>
          Download Mermaid
        </a>
      </p>
      <Curl id="sequence-mermaid" text={mermaidOf(sequence)} name="Mermaid text" />
      <SequenceWords sequence={sequence} shell={shell} />
    </section>
  )
}

/** The messages one by one, each with a link to its details. */
function SequenceWords({ sequence, shell }: { sequence: Sequence; shell: Shell }) {
  const times = timesOf(sequence)
  return (
    <details class="fold" id="sequence-words">
      <summary>In words</summary>
      <ol>
        {sequence.messages.map((message, index) => {
          const path = pathOf(message.about)
          const words = messageWords(message)
          return (
            <li>
              {times[index] === null ? null : (
                <>
                  <Moment at={message.at} />{' '}
                </>
              )}
              {path === null ? words : <a href={linkTo(shell, path)}>{words}</a>}
            </li>
          )
        })}
      </ol>
    </details>
  )
}

function pathOf(about: Sequence['messages'][number]['about']): string | null {
  if (about === null) return null
  return about.type === 'request' ? requestPath(about.id) : deliveryPath(about.id)
}
