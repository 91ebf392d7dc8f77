import { statuses } from '../statuses.ts'

const known: ReadonlySet<string> = new Set(
  statuses.filter(({ of, from }) => of !== 'order' || from !== 'scenario').map(({ name }) => name),
)

/** Whether an order or a refund may have a status without a scenario that makes it up. */
export const isKnownStatus = (status: string): boolean => known.has(status)
