/** When all clocks begin. */
export const startTime = '2026-04-21T16:00:00Z'

/** The same; the reports count milliseconds from here. */
export const t0 = Date.parse(startTime)

/** Milliseconds since the beginning of time. */
export const since = (at: number | null): string => (at === null ? 'never' : `+${at - t0}`)

/** Names an order by when it began, because the charges of a subscription share its requestId. */
export const orderName = (clientId: string, requestId: string, createdAt: number): string =>
  `${clientId} ${requestId}@${since(createdAt)}`

/** The name of the order that a webhook tells of: the first 48 bits of an orderId are the time (N58). A simulation is
 *  of no order. */
export function nameInWebhook(clientId: string, told: { requestId: string; orderId: string }): string {
  const time = /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(told.orderId)
  if (time === null) return `${clientId} ${told.requestId}`
  return orderName(clientId, told.requestId, Number.parseInt(`${time[1]}${time[2]}`, 16))
}
