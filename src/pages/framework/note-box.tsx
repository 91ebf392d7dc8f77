import * as z from 'zod'
import { client } from '../../control/shapes/client.ts'
import { delivery } from '../../control/shapes/delivery.ts'
import { fault } from '../../control/shapes/fault.ts'
import { loadedFixture } from '../../control/shapes/fixture.ts'
import { endedLedger, ledger } from '../../control/shapes/ledger.ts'
import { order } from '../../control/shapes/order.ts'
import { binding } from '../../control/shapes/scenario.ts'
import { LedgerTable } from '../dashboard/clocks/ledger.tsx'
import { effectWords, targetWords } from '../dashboard/faults/fault-words.ts'
import { curlOf } from './action.ts'
import { Curl } from './form.tsx'
import { LongText } from './long-text.tsx'
import { isGood, type Note, refusalWords } from './notes.ts'
import { clientPath, linkTo, orderPath, type Shell } from './view.ts'

const walked = z.union([endedLedger, ledger])

/** Describes the answer of a call in words, for calls with a better description than JSON. */
function Outcome({ note, shell }: { note: Note; shell: Shell }) {
  const answer = jsonOf(note.text)
  const asLedger = walked.safeParse(answer)
  if (asLedger.success) return <LedgerTable ledger={asLedger.data} shell={shell} />
  const asFixture = loadedFixture.safeParse(answer)
  if (asFixture.success) return <Loaded clients={asFixture.data.clients} />
  const asPlan = binding.safeParse(answer)
  if (asPlan.success) return <PlannedOrder plan={asPlan.data} shell={shell} />
  if (note.action?.path.split('?')[0]?.endsWith('/resend')) return <SentAgain answer={answer} />
  if (note.status !== 201) return null
  const asFault = fault.safeParse(answer)
  if (asFault.success) return <PlannedFault planned={asFault.data} shell={shell} />
  const asOrder = order.safeParse(answer)
  if (asOrder.success) {
    const { orderId, requestId } = asOrder.data
    return (
      <p>
        Order <a href={linkTo(shell, orderPath(orderId))}>{requestId}</a> was made.
      </p>
    )
  }
  const asClient = client.safeParse(answer)
  if (asClient.success) {
    const { clientId } = asClient.data
    return (
      <p>
        <a href={linkTo(shell, clientPath(clientId))}>Open {clientId}</a> for its credentials.
      </p>
    )
  }
  return null
}

function Loaded({ clients }: Pick<z.output<typeof loadedFixture>, 'clients'>) {
  return (
    <ul>
      {clients.map(({ clientId, orders }) => (
        <li>
          <a href={linkTo({ clientId }, '/ui/orders')}>{clientId}</a> with {orders}{' '}
          {orders === 1 ? 'order' : 'orders'}
        </li>
      ))}
    </ul>
  )
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Describes the effect of a scenario that was just planned. */
function PlannedOrder({ plan, shell }: { plan: z.output<typeof binding>; shell: Shell }) {
  const { scenario, clientId, requestId, remaining } = plan
  return (
    <p>
      The next {remaining === 1 ? 'order' : `${remaining} orders`}
      {clientId === null ? null : ` of ${clientId}`}
      {requestId === null ? null : ` with the requestId ${requestId}`}{' '}
      {remaining === 1 ? 'follows' : 'follow'} {scenario}.{' '}
      <a href={linkTo(shell, '/ui/scenarios')}>See what is planned</a>
    </p>
  )
}

/** Describes the effect of a fault that was just planned. */
function PlannedFault({ planned, shell }: { planned: z.output<typeof fault>; shell: Shell }) {
  return (
    <p>
      Planned: {effectWords(planned)}, for {targetWords(planned)}.{' '}
      <a href={linkTo(shell, '/ui/faults')}>See what is planned</a>
    </p>
  )
}

/** A webhook that is sent again. The application's answer is not known yet. */
function SentAgain({ answer }: { answer: unknown }) {
  const sent = delivery.safeParse(answer)
  if (!sent.success) return null
  return (
    <p>
      Attempt {sent.data.attempts.length + 1} is being sent. The answer of your application will appear under
      Attempts.
    </p>
  )
}

/** The note about the last call. Its element always exists, so that screen readers announce new content. */
export function NoteBox({ shell }: { shell: Shell }) {
  return (
    <div id="note" aria-live="polite">
      {shell.note === null ? null : <NoteOf note={shell.note} shell={shell} />}
    </div>
  )
}

function NoteOf({ note, shell }: { note: Note; shell: Shell }) {
  const { action, status, text } = note
  const good = isGood(note)
  return (
    <section class={`note ${good ? 'good' : 'bad'}`} aria-label="Result of the action">
      <p>
        <strong>{good ? 'Done.' : 'Refused.'}</strong> {good ? null : refusalWords(text)}
        {action === null ? null : (
          <>
            {' '}
            <code>
              {action.method} /_emulator{action.path}
            </code>{' '}
            answered {status}.
          </>
        )}
      </p>
      <Outcome note={note} shell={shell} />
      {action === null ? null : (
        <div class="note-more">
          {text === '' ? null : (
            <details id="note-answer">
              <summary>Answer</summary>
              <LongText id="note-text" text={indented(text)} />
            </details>
          )}
          <Curl text={curlOf(action, shell.origin, shell.asksForToken)} id="note-curl" />
        </div>
      )}
      <button type="button" class="scripted-only close" id="note-close" aria-label="Close this note">
        ×
      </button>
    </section>
  )
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
