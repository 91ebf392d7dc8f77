import * as z from 'zod'
import { client } from '../../control/shapes/client.ts'
import { fault } from '../../control/shapes/fault.ts'
import { loadedFixture } from '../../control/shapes/fixture.ts'
import { endedLedger, ledger } from '../../control/shapes/ledger.ts'
import { order } from '../../control/shapes/order.ts'
import { binding } from '../../control/shapes/scenario.ts'
import { LedgerTable } from './clocks/ledger.tsx'
import type { Note } from './notes.ts'
import { clientPath, orderPath } from './paths.ts'
import { PlannedFault, PlannedOrder, SentAgain } from './planned-outcome.tsx'
import { linkTo, type Shell } from './view.ts'

const walked = z.union([endedLedger, ledger])

/** What a call answered, in words, where there are better ones than its JSON. */
export function Outcome({ note, shell }: { note: Note; shell: Shell }) {
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
          <a href={linkTo({ clientId }, '/')}>{clientId}</a> with {orders} {orders === 1 ? 'order' : 'orders'}
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
