import type { z } from 'zod'
import { delivery } from '../../control/shapes/delivery.ts'
import type { fault } from '../../control/shapes/fault.ts'
import type { binding } from '../../control/shapes/scenario.ts'
import { effectWords, targetWords } from './faults/fault-words.ts'
import { linkTo, type Shell } from './view.ts'

/** What follows from a plan for coming orders. */
export function PlannedOrder({ plan, shell }: { plan: z.output<typeof binding>; shell: Shell }) {
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

/** What follows from a fault. */
export function PlannedFault({ planned, shell }: { planned: z.output<typeof fault>; shell: Shell }) {
  return (
    <p>
      Planned: {effectWords(planned)}, for {targetWords(planned)}.{' '}
      <a href={linkTo(shell, '/ui/faults')}>See what is planned</a>
    </p>
  )
}

/** A webhook that is sent again. That the emulator took the call says nothing of how the application takes it. */
export function SentAgain({ answer }: { answer: unknown }) {
  const sent = delivery.safeParse(answer)
  if (!sent.success) return null
  return (
    <p>
      Attempt {sent.data.attempts.length + 1} is being sent. The answer of your application will appear under
      Attempts.
    </p>
  )
}
