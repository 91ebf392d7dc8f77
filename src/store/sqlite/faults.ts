import { eq, sql } from 'drizzle-orm'
import { EmulatorError } from '../../domain/errors.ts'
import {
  type FaultCount,
  type FaultsMet,
  type FittingFault,
  faultId,
  faultVerdict,
} from '../../domain/fault/planned-fault.ts'
import type { Store, StoredFault } from '../store.ts'
import type { Connection } from './connection.ts'
import { lister } from './lists.ts'
import { once, p } from './parameter.ts'
import { faults } from './schema.ts'

/** The faults that were planned while the emulator runs. */
export function faultVerbs(
  connection: Connection,
): Pick<
  Store,
  'addFault' | 'faults' | 'listFaults' | 'findFault' | 'countFault' | 'deleteFault' | 'deleteFaults'
> {
  const { sqlite, db, write } = connection
  const nextPlace = placeCounter(connection)
  const all = once(() => db.select().from(faults).orderBy(faults.seq).prepare())
  const one = once(() =>
    db
      .select()
      .from(faults)
      .where(eq(faults.id, p('id')))
      .prepare(),
  )
  const removeOne = sqlite.prepare<[string]>('delete from faults where id = ?')
  const removeAll = sqlite.prepare('delete from faults')
  const removeOf = sqlite.prepare<[string]>('delete from faults where client_id = ?')
  const counter = faultCounter(connection)

  return {
    addFault: (fault, seed) =>
      write(() => {
        const { clientId, asked, ends } = fault
        for (;;) {
          const id = faultId(fault, seed, nextPlace(clientId))
          // One from before a change of the seed, say.
          if (one().get({ id }) !== undefined) continue
          db.insert(faults).values({ id, clientId, fault: { asked, ends } }).run()
          return { ...fault, id, calls: 0, hits: 0 }
        }
      }),
    faults: async () => all().all().map(presented),
    listFaults: listOf(connection),
    findFault: async (id) => {
      const row = one().get({ id })
      return row === undefined ? null : presented(row)
    },
    countFault: (fitting) =>
      write(() => {
        const count = counter()
        const hit = count.firstOf(fitting)
        return { ...count.met(), hit }
      }),
    deleteFault: (id) =>
      write(() => {
        const row = one().get({ id })
        if (row === undefined) throw new EmulatorError('fault_unknown', { id })
        removeOne.run(id)
        return presented(row)
      }),
    deleteFaults: (clientId) =>
      write(() => (clientId === undefined ? removeAll.run() : removeOf.run(clientId)).changes),
  }
}

/** Counts the faults that are planned, of a client or of all, part of a write; answers how many were before.
 *  @throws client_unknown */
function placeCounter({ sqlite }: Connection): (clientId: string | null) => number {
  const ofClient = sqlite
    .prepare<[string], number>(
      'update clients set planned_faults = planned_faults + 1 where client_id = ? returning planned_faults - 1',
    )
    .pluck()
  const ofAll = sqlite
    .prepare<[], number>('update world set planned_faults = planned_faults + 1 returning planned_faults - 1')
    .pluck()
  return (clientId) => {
    const place = clientId === null ? ofAll.get() : ofClient.get(clientId)
    if (place === undefined) throw new EmulatorError('client_unknown', { clientId: clientId ?? '' })
    return place
  }
}

/** Counts for faults, as part of a write. Each answer collects what its counting came to. */
export function faultCounter({ sqlite, db }: Connection) {
  const counts = once(() =>
    db
      .select({ id: faults.id, calls: faults.calls, hits: faults.hits })
      .from(faults)
      .where(eq(faults.id, p('id')))
      .prepare(),
  )
  const raise = sqlite.prepare<[number, number, string]>('update faults set calls = ?, hits = ? where id = ?')

  return () => {
    const met = new Map<string, FaultCount>()
    const gone = new Set<string>()
    const hits = (fitting: FittingFault): FaultCount | null => {
      const before = counts().get({ id: fitting.id })
      if (before === undefined) {
        gone.add(fitting.id)
        return null
      }
      const verdict = faultVerdict(fitting, before)
      const hit = verdict === 'hits' ? 1 : 0
      const now =
        verdict === 'over' ? before : { ...before, calls: before.calls + 1, hits: before.hits + hit }
      if (verdict !== 'over') raise.run(now.calls, now.hits, now.id)
      met.set(now.id, now)
      return hit === 1 ? now : null
    }
    return {
      /** The first that is done. */
      firstOf: (fitting: readonly FittingFault[]): FaultCount | null => {
        for (const each of fitting) {
          const hit = hits(each)
          if (hit !== null) return hit
        }
        return null
      },
      met: (): FaultsMet => ({ counts: [...met.values()], gone: [...gone] }),
    }
  }
}

function listOf(connection: Connection): Store['listFaults'] {
  const list = lister<Row, StoredFault & FaultCount>(connection, {
    letter: 'f',
    seq: faults.seq,
    filters: { clientId: faults.clientId },
    members: { id: faults.id },
    leads: [{ filter: 'clientId', condition: eq(faults.clientId, p('clientId')), leavesFew: false }],
    prepare: (where, order) =>
      connection.db
        .select()
        .from(faults)
        .where(where)
        .orderBy(order)
        .limit(sql.placeholder('limit'))
        .prepare(),
    present: (rows) => rows.map(presented),
  })
  return async (query) => list(query)
}

type Row = typeof faults.$inferSelect

const presented = ({ id, clientId, calls, hits, fault }: Row): StoredFault & FaultCount => ({
  id,
  clientId,
  ...fault,
  calls,
  hits,
})
