import type { Delivery } from '../../domain/delivery.ts'
import type { WorldOrder } from '../../domain/fixture/world.ts'
import { scenarioFormat } from '../../domain/scenario/scenario.ts'
import type { Store } from '../store.ts'
import { latestColumns } from './attempts.ts'
import { insertClient, unlessTaken } from './clients.ts'
import { orderInserter } from './commits.ts'
import type { Connection } from './connection.ts'
import { inserter } from './rows.ts'
import { saveScenarioVersion } from './scenarios.ts'
import { attempts, deliveries, tokens } from './schema.ts'
import { clientRemover } from './world.ts'

/** Whole worlds at once. */
export function loadVerbs(connection: Connection): Pick<Store, 'load'> {
  const { db, write } = connection
  const remove = clientRemover(connection)
  const insertOrder = worldOrderInserter(connection)

  return {
    load: (world, replaced = []) =>
      write(
        () => {
          for (const clientId of replaced) remove(clientId)
          for (const client of world.clients) insertClient(connection, client)
          for (const token of world.tokens) unlessTaken(token, () => db.insert(tokens).values(token).run())
          for (const { version, scenario } of world.scenarios)
            saveScenarioVersion(connection, version, {
              scenarioJson: JSON.stringify(scenario),
              format: scenarioFormat,
            })
          for (const order of world.orders) insertOrder(order)
        },
        { isLast: true },
      ),
  }
}

function worldOrderInserter(connection: Connection): (order: WorldOrder) => void {
  const { sqlite } = connection
  const insertOrder = orderInserter(connection)
  const insertDelivery = inserter(sqlite, deliveries)
  const insertAttempt = inserter(sqlite, attempts)

  const deliver = ({ attempts: made, verbatim: _, ...delivery }: Delivery, orderSeq: number) => {
    const isFirst = delivery.status === 'pending' && made.length === 0
    const { lastInsertRowid } = insertDelivery({
      ...delivery,
      orderSeq,
      inFlight: false,
      released: false,
      blocking: isFirst && delivery.sequence > 0,
      attempt: made.length,
      ...latestColumns(made.at(-1)),
    })
    for (const attempt of made.slice(0, -1))
      insertAttempt({ deliverySeq: Number(lastInsertRowid), ...attempt })
  }

  return (begun) => {
    const orderSeq = insertOrder(begun)
    for (const delivery of begun.deliveries) deliver(delivery, orderSeq)
  }
}
