/** When all clocks begin. */
export const startTime = '2026-04-21T16:00:00Z'

/** The start time; reports count milliseconds from here. */
export const t0 = Date.parse(startTime)

/** Milliseconds since the beginning of time. */
export const since = (at: number | null): string => (at === null ? 'never' : `+${at - t0}`)

/** Names an order by when it began, because the charges of a subscription share its requestId. */
export const orderName = (clientId: string, requestId: string, createdAt: number): string =>
  `${clientId} ${requestId}@${since(createdAt)}`

/** The name of the order in a webhook or record. A simulation has no order. */
export function nameInWebhook(clientId: string, told: { requestId: string; orderId: string }): string {
  const time = timeOf(told.orderId)
  return time === null ? `${clientId} ${told.requestId}` : orderName(clientId, told.requestId, time)
}

/** When an id was made: its first 48 bits (N58). Null if it is not such an id. */
export function timeOf(id: string): number | null {
  const digits = /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(id)
  return digits === null ? null : Number.parseInt(`${digits[1]}${digits[2]}`, 16)
}
