import { functionCall, ProbeFailed, type Seen } from '../application/application.ts'
import type { OrderState } from '../config/config.ts'
import { WrongConfiguration } from '../finding.ts'
import type { ConfigurationProblem } from '../report.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'

/** What a probe of an order has brought. */
export interface Looked {
  readonly seen: Seen | null
  readonly problems: readonly ConfigurationProblem[]
}

/** Asks the application for an order that is in a state by now, and gives it a moment to say so. Whether it says so is a
 *  matter of the cases; here it only matters that it says something that can be read. */
export async function lookAt(order: StagedOrder, is: OrderState, stage: Stage): Promise<Looked> {
  let seen: Seen | null = null
  let failed: ProbeFailed | null = null
  try {
    await stage.until(async () => {
      try {
        seen = await order.probe()
        failed = null
        return seen === null || seen.state === is
      } catch (error) {
        if (!(error instanceof ProbeFailed)) throw error
        failed = error
        return false
      }
    }, stage.app.settleMs)
  } catch (error) {
    if (!(error instanceof WrongConfiguration)) throw error
    return { seen: null, problems: [error.problem] }
  }
  return { seen, problems: problemsOf(failed, seen, is) }
}

function problemsOf(failed: ProbeFailed | null, seen: Seen | null, is: OrderState): ConfigurationProblem[] {
  if (failed !== null) return [failureOf(failed)]
  if (seen?.state !== 'other') return []
  const word = JSON.stringify(seen.word)
  return [
    {
      member: `probe.statuses.${is}`,
      message: `your application returns the status ${word} for an order that is ${is}, and ${word} is listed under no status; add it here`,
    },
  ]
}

/** A probe that was not answered, or not well. */
export function failureOf({ message, status }: ProbeFailed): ConfigurationProblem {
  if (message.startsWith(functionCall)) return { member: 'probe', message }
  if (status === null)
    return { member: 'probe.url', message: `${message}; is your application running there?` }
  if (status === 401 || status === 403)
    return {
      member: 'probe.headers',
      message: `${message}; add the credentials that the call needs to \`probe.headers\``,
    }
  return {
    member: 'probe.url',
    message: `${message}; expected 2xx, or 404 for an unknown order`,
  }
}

/** The order is paid, and the application still knows nothing of it. */
export function unknownOrder(requestId: string): ConfigurationProblem {
  return {
    member: 'probe.url',
    message: `your application answers 404 for the order ${requestId}, which it created and which was paid; does the probe have the right URL, and does your application know the order by its requestId? If it uses an id of its own, set \`start.id\` and use {id} in the probe`,
  }
}

/** What is wrong with the count of effects.
 *  @param counts of a paid order, how often the application has been told of it and asked for it, and of a new order
 *    after that */
export function countProblem(counts: {
  readonly fresh: number | null
  readonly paid: number | null
  readonly occasions: number
  readonly next: number | null
}): ConfigurationProblem | null {
  const { fresh, paid, occasions, next } = counts
  if (fresh === null || paid === null) return null
  const carried = fresh > occasions ? fresh : fresh === 0 && paid > 0 && next === paid ? next : null
  if (carried !== null)
    return {
      member: 'probe.effects',
      message: `a new order begins with the count ${carried}, before its first webhook; expected the count of that one order, not of all orders`,
    }
  if (paid > occasions || !Number.isInteger(paid))
    return {
      member: 'probe.perEffect',
      message: `the count of one paid order, divided by \`perEffect\`, is ${paid} instead of 1; if one payment adds that much, set \`perEffect\` to match`,
    }
  return null
}
