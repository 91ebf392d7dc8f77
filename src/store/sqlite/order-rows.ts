import { getTableColumns, type InferInsertModel } from 'drizzle-orm'
import type { Order } from '../../domain/order.ts'
import { orders } from './schema.ts'

const { history: _, ...columns } = getTableColumns(orders)

/** What is read of an order: all but its history. */
export const orderColumns = columns

/** An order out of its row. */
export function toOrder(row: Omit<typeof orders.$inferSelect, 'history'>): Order {
  const { seq: _, scenarioId: id, scenarioWhy: why, scenarioVersion: version, ...order } = row
  return { ...order, scenario: { id, why, version } }
}

/** An order as a row, without its history. */
export function toRow({ scenario, ...order }: Order): Omit<InferInsertModel<typeof orders>, 'history'> {
  const { id, why, version } = scenario
  return { ...order, scenarioId: id, scenarioWhy: why, scenarioVersion: version }
}
