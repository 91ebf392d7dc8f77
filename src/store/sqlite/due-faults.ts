import { sql } from 'drizzle-orm'
import { faultsLeft, planWith } from '../../domain/fault/attempt-plan.ts'
import type { DeliveryFault, FaultsMet } from '../../domain/fault/planned-fault.ts'
import { fits } from '../../domain/where.ts'
import { claimableRows } from './claimable.ts'
import type { Connection } from './connection.ts'
import { byDueTime } from './delivery-rows.ts'
import { faultCounter } from './faults.ts'
import { facts } from './holds.ts'
import { once } from './parameter.ts'
import { deliveries } from './schema.ts'

/** What is due, once planned faults have had their turn. */
interface DueWithFaults {
  /** To be claimed now. */
  readonly seqs: readonly number[]
  /** How many are put off. */
  readonly late: number
  readonly met: FaultsMet
}

/** Lets the first claimable deliveries meet the planned faults that fit them, part of a write. */
export function faultsOnDue(
  connection: Connection,
): (
  due: { clientId: string; until: number; now: number; limit: number },
  faults: readonly DeliveryFault[],
) => DueWithFaults {
  const { db, sqlite } = connection
  const counter = faultCounter(connection)
  const rows = once(() =>
    db
      .select({ ...facts, attempt: deliveries.attempt, dueAt: deliveries.dueAt, plan: deliveries.plan })
      .from(deliveries)
      .where(sql`${deliveries.seq} in ${claimableRows(connection)}`)
      .prepare(),
  )
  const change = sqlite.prepare<[string, number | null, number]>(
    'update deliveries set plan = ?, due_at = coalesce(?, due_at) where seq = ?',
  )

  return ({ clientId, until, now, limit }, faults) => {
    const count = counter()
    const seqs: number[] = []
    let late = 0
    for (const { seq, attempt, plan, ...delivery } of rows()
      .all({ clientId, until, limit })
      .sort(byDueTime)) {
      const fitting = faultsLeft(plan, attempt + 1, faults).filter(({ where }) => fits(where, delivery))
      const hit = count.firstOf(fitting)
      const fault = fitting.find(({ id }) => id === hit?.id)
      const dueAt = fault && fault.effect.delayMs > 0 ? now + fault.effect.delayMs : null
      if (fault !== undefined) change.run(JSON.stringify(planWith(plan, fault, attempt + 1)), dueAt, seq)
      if (dueAt === null) seqs.push(seq)
      else late += 1
    }
    return { seqs, late, met: count.met() }
  }
}
