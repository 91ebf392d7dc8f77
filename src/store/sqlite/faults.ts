import { getTableColumns } from 'drizzle-orm'
import {
  type FaultCount,
  type FaultsMet,
  type FittingFault,
  faultId,
  faultVerdict,
} from '../../domain/faults/planned-fault.ts'
import { EmulatorError } from '../../domain/text/errors.ts'
import type { Store } from '../store.ts'
import { ofIdAndClient, selector } from './rows.ts'
import { faults } from './schema.ts'
import type { Connection } from './writer.ts'

/** Returns the store's operations on planned faults. */
export function faultVerbs(connection: Connection) {
  const { sqlite, insert, run, value, read, write } = connection
  const { seq: _, ...columns } = getTableColumns(faults)
  const all = selector(sqlite, columns)('order by seq')

  return {
    addFault: (fault, seed) =>
      write(() => {
        const { clientId, ...planned } = fault
        for (;;) {
          const id = faultId(fault, seed, nextPlace(connection, clientId))
          // An id may exist from before a change of the seed.
          if (value('select 1 from faults where id = ?', id) !== undefined) continue
          const counts = { calls: 0, hits: 0 }
          insert(faults, { id, clientId, fault: planned, ...counts })
          return { ...fault, id, ...counts }
        }
      }),

    faults: () => read(() => all().map(({ fault, ...counted }) => ({ ...counted, ...fault }))),

    countFault: (fitting) =>
      write(() => {
        const counting = countingFaults(connection)
        const hit = counting.firstOf(fitting)
        return { ...counting.met(), hit }
      }),

    deleteFaults: ({ id = null, clientId = null }) =>
      write(() => run(`delete from faults ${ofIdAndClient}`, { id, clientId })),
  } satisfies Partial<Store>
}

/** Counts a planned fault of a client or of all, as part of a write.
 *  @returns the number of earlier ones
 *  @throws client_unknown */
function nextPlace({ value }: Connection, clientId: string | null): number {
  const raise = 'set planned_faults = planned_faults + 1'
  const place =
    clientId === null
      ? value<number>(`update world ${raise} returning planned_faults`)
      : value<number>(`update clients ${raise} where client_id = ? returning planned_faults`, clientId)
  if (place === undefined) throw new EmulatorError('client_unknown', { clientId: clientId ?? '' })
  return place - 1
}

/** Counts for faults, as part of a write, and collects the results. */
export function countingFaults({ prepare, run }: Connection) {
  const counts = new Map<string, FaultCount>()
  const gone = new Set<string>()

  const isHit = (fault: FittingFault): FaultCount | null => {
    const { id } = fault
    const before = prepare<[string], FaultCount>('select id, calls, hits from faults where id = +?').get(id)
    if (before === undefined) {
      gone.add(id)
      return null
    }
    const verdict = faultVerdict(fault, before)
    if (verdict === 'over') {
      counts.set(id, before)
      return null
    }
    const now = { id, calls: before.calls + 1, hits: before.hits + (verdict === 'hits' ? 1 : 0) }
    run('update faults set calls = :calls, hits = :hits where id = :id', now)
    counts.set(id, now)
    return verdict === 'hits' ? now : null
  }

  return {
    /** Counts up to the first fault that applies.
     *  @returns that fault */
    firstOf: (fitting: readonly FittingFault[]): FaultCount | null => {
      for (const fault of fitting) {
        const hit = isHit(fault)
        if (hit !== null) return hit
      }
      return null
    },
    met: (): FaultsMet => ({ counts: [...counts.values()], gone: [...gone] }),
  }
}
