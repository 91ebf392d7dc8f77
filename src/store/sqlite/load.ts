import type { Generation } from '../../domain/client/client.ts'
import {
  blocksAtFirst,
  type CommonWorld,
  type WorldDelivery,
  type WorldFault,
} from '../../domain/fixture/world.ts'
import { EmulatorError } from '../../domain/text/errors.ts'
import type { Store } from '../store.ts'
import { insertClient, insertToken } from './clients.ts'
import { batchColumns, latestColumns } from './deliveries.ts'
import { insertOrder } from './orders.ts'
import { saveScenarioVersion } from './scenarios.ts'
import * as schema from './schema.ts'
import { removeWorlds } from './world.ts'
import type { Connection } from './writer.ts'
import { hasCode, isTaken } from './writer.ts'

/** The number of rows written without serving requests in between. */
const atOnce = 200

/** Returns the store's operation that loads snapshots and fixtures. It reads them in parts, and commits all parts in one
 *  transaction. */
export function loadVerbs(connection: Connection) {
  const { insert, value, values, writeInParts } = connection
  return {
    load: (world, replaced) =>
      writeInParts(async (part) => {
        const isAll = replaced === 'all'
        await removeWorlds(connection, part, { clientIds: replaced, clients: true })
        if (isAll) emptyCommon(connection)

        const base = value<number>('select coalesce(max(seq), 0) from deliveries') ?? 0
        const generations = new Map<string, Generation>()
        // All at once, because there are few faults.
        const faults: WorldFault[] = []
        const unplaced: (readonly [WorldDelivery, orderSeq: number | null])[] = []
        const deliver = (delivery: WorldDelivery, orderSeq: number | null) => {
          if (delivery.place === undefined) unplaced.push([delivery, orderSeq])
          else insertDelivery(connection, delivery, orderSeq, base + delivery.place)
        }
        const each = async <T>(things: readonly T[] = [], put: (thing: T) => void) => {
          for (let from = 0; from < things.length; from += atOnce)
            await part(() => things.slice(from, from + atOnce).forEach(put))
        }

        for await (const { common, ...some } of world) {
          if (isAll && common !== undefined) await part(() => saveCommon(connection, common))
          await each(some.clients, (client) =>
            generations.set(client.clientId, insertClient(connection, client)),
          )
          await each(some.tokens, (token) => insertToken(connection, token))
          await each(some.scenarios, ({ version, format, scenario }) =>
            saveScenarioVersion(connection, version, { format, scenarioJson: JSON.stringify(scenario) }),
          )
          await each(some.bindings, (binding) => unlessThere(binding, () => insert(schema.bindings, binding)))
          faults.push(...(some.faults ?? []))
          await each(some.answerCounts, (count) =>
            unlessThere(count, () => insert(schema.answerCounts, count)),
          )
          await each(some.orders, (begun) => {
            const orderSeq = insertOrder(connection, begun)
            for (const delivery of begun.deliveries) deliver(delivery, orderSeq)
          })
          await each(some.deliveries, (delivery) => deliver(delivery, null))
          await each(some.requests, (entry) => unlessThere(entry, () => insert(schema.requests, entry)))
        }
        const taken = new Set(values<number>('select seq from faults'))
        const areFree = faults.every(({ place }) => place === undefined || !taken.has(place))
        await each(faults, ({ asked, ends, place, ...fault }) =>
          unlessThere(fault, () =>
            insert(schema.faults, { ...fault, fault: { asked, ends }, seq: areFree ? place : undefined }),
          ),
        )
        await each(unplaced, ([delivery, orderSeq]) => insertDelivery(connection, delivery, orderSeq))
        return generations
      }),
  } satisfies Partial<Store>
}

// ---- helpers that run inside the transaction of a write ------------------------------------------------

/** Removes the data that exists once. The seed stays, and so do scenario versions: an order in creation may follow
 *  one. */
function emptyCommon({ run }: Connection): void {
  run(`update world set settings = '{}', planned_faults = 0, pruned_requests = 0`)
  run('delete from scenario_texts')
}

function saveCommon({ run, insert }: Connection, { scenarioTexts, settings, ...common }: CommonWorld): void {
  run(
    `update world set seed = :seed, settings = :settings, planned_faults = :plannedFaults,
       pruned_requests = :prunedRequests`,
    { ...common, settings: JSON.stringify(settings) },
  )
  for (const text of scenarioTexts) unlessThere({ clientId: null }, () => insert(schema.scenarioTexts, text))
}

function insertDelivery(
  { insert }: Connection,
  { attempts, place: _, ...delivery }: WorldDelivery,
  orderSeq: number | null,
  seq?: number,
): void {
  const { released = false, blocking = blocksAtFirst({ ...delivery, attempts }) } = delivery
  const latest = attempts.at(-1)
  unlessThere(delivery, () => {
    const { lastInsertRowid } = insert(schema.deliveries, {
      ...latestColumns(latest),
      ...delivery,
      ...batchColumns(delivery),
      ...{ seq, orderSeq, inFlight: false, released, blocking, attempt: latest?.n ?? 0 },
    })
    for (const attempt of attempts.slice(0, -1))
      insert(schema.attempts, { deliverySeq: Number(lastInsertRowid), ...attempt })
  })
}

/** Runs a write that fails if another client has the id.
 *  @throws snapshot_taken */
function unlessThere({ clientId }: { readonly clientId: string | null }, run: () => void): void {
  try {
    run()
  } catch (error) {
    if (!isTaken(error) && !hasCode(error, 'SQLITE_CONSTRAINT_PRIMARYKEY')) throw error
    throw new EmulatorError('snapshot_taken', { clientId: clientId ?? '' })
  }
}
