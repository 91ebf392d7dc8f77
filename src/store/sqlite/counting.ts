import type { Counts } from '../store.ts'
import type { Connection } from './writer.ts'

/** The triggers that count the rows of a table by client and status, so that no question has to read them all. */
const countingIn = (table: keyof Counts, status: 'order_status' | 'status'): string[] => {
  const add = `
  INSERT INTO status_counts VALUES (new.client_id, '${table}', new.${status}, 1)
  ON CONFLICT DO UPDATE SET count = count + 1;`
  const subtract = `
  UPDATE status_counts SET count = count - 1
  WHERE client_id = old.client_id AND what = '${table}' AND status = old.${status};`
  return [
    `CREATE TRIGGER \`${table}_added\` AFTER INSERT ON \`${table}\` BEGIN${add}\nEND`,
    `CREATE TRIGGER \`${table}_changed\` AFTER UPDATE OF ${status} ON \`${table}\`
WHEN old.${status} <> new.${status} BEGIN${subtract}${add}\nEND`,
    `CREATE TRIGGER \`${table}_removed\` AFTER DELETE ON \`${table}\` BEGIN${subtract}\nEND`,
  ]
}

/** The triggers of the table `status_counts`. */
export const countingTriggers: readonly string[] = [
  ...countingIn('orders', 'order_status'),
  ...countingIn('deliveries', 'status'),
]

/** The counts of all clients. */
export function countsOf({ prepare }: Connection): Counts {
  const counts: Record<keyof Counts, Map<string, Record<string, number>>> = {
    orders: new Map(),
    deliveries: new Map(),
  }
  const rows = prepare<[], { clientId: string; what: keyof Counts; status: string; count: number }>(
    'select client_id as clientId, what, status, count from status_counts where count > 0',
  )
  for (const { clientId, what, status, count } of rows.iterate())
    counts[what].set(clientId, { ...counts[what].get(clientId), [status]: count })
  return counts
}
