import type { IssuedToken } from '../../domain/client.ts'
import type { Delivery } from '../../domain/delivery.ts'
import { EmulatorError, type ErrorCode } from '../../domain/errors.ts'
import type { WorldOrder } from '../../domain/fixture/world.ts'
import { scenarioFormat } from '../../domain/scenario/scenario.ts'
import type { Store } from '../store.ts'
import { latestColumns } from './attempts.ts'
import { clientInserter } from './clients.ts'
import { orderInserter } from './commits.ts'
import type { Connection } from './connection.ts'
import { inserter } from './rows.ts'
import { attempts, deliveries, scenarioVersions, tokens } from './schema.ts'
import { isTaken } from './sqlite-errors.ts'
import { clientRemover } from './world.ts'

/** Whole worlds at once. */
export function loadVerbs(connection: Connection): Pick<Store, 'load'> {
  const { sqlite, write } = connection
  const remove = clientRemover(connection)
  const insertClient = clientInserter(connection)
  const insertToken = inserter(sqlite, tokens)
  const insertVersion = inserter(sqlite, scenarioVersions, { onConflict: 'on conflict (version) do nothing' })
  const insertOrder = worldOrderInserter(connection)
  const keepToken = (token: IssuedToken) =>
    unlessTaken(() => insertToken(token), 'client_exists', { clientId: token.clientId })

  return {
    load: (world, replaced = []) =>
      write(
        () => {
          for (const clientId of replaced) remove(clientId)
          for (const client of world.clients) insertClient(client)
          for (const token of world.tokens) keepToken(token)
          for (const { version, scenario } of world.scenarios)
            insertVersion({ version, scenarioJson: JSON.stringify(scenario), format: scenarioFormat })
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

function unlessTaken<T>(run: () => T, code: ErrorCode, params: Readonly<Record<string, string>>): T {
  try {
    return run()
  } catch (error) {
    if (isTaken(error)) throw new EmulatorError(code, params)
    throw error
  }
}
