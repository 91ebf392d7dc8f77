import type { Order, Turns } from './order.ts'
import type { News } from './payload.ts'
import { anyFinal } from './scenario/webhook-rules.ts'
import { isTerminal } from './statuses.ts'
import type { EpochMs } from './time.ts'

/** Lets leave what may, of the news and of what has waited, where rules reorder the webhooks of an order.
 *  @param how `awaited`: the status that has to be told before; `leave`: makes the rows, due at the given moment or
 *    later, and answers when the last one is due
 *  @returns what the order has to remember */
export function inTurn(
  order: Order,
  news: readonly News[],
  {
    awaited,
    leave,
    nowMs,
  }: {
    awaited: (one: News) => string | undefined
    leave: (one: News, dueFrom: EpochMs) => EpochMs
    nowMs: EpochMs
  },
): Turns {
  const told = new Map(Object.entries(order.terms.turns?.told ?? {}))
  const toldAt = (status: string) =>
    status === anyFinal ? [...told].find(([name]) => isTerminal(name))?.[1] : told.get(status)
  const turnOf = (one: News): EpochMs | undefined => {
    const before = awaited(one)
    return before === undefined || before === one.event.orderStatus ? nowMs : toldAt(before)
  }
  const tell = (one: News) => {
    const { orderStatus } = one.event
    const lastDue = leave(one, Math.max(nowMs, turnOf(one) ?? nowMs))
    told.set(orderStatus, Math.max(lastDue, told.get(orderStatus) ?? 0))
  }
  const late = news.filter((one) => turnOf(one) === undefined)
  for (const one of news) if (!late.includes(one)) tell(one)
  let waiting = [...(order.terms.turns?.waiting ?? []), ...late]
  // Also a status that is told to nobody has its turn.
  const isWaiting = waiting.some(({ event }) => event.orderStatus === order.orderStatus)
  if (!isWaiting && !told.has(order.orderStatus)) told.set(order.orderStatus, nowMs)
  for (;;) {
    const one = waiting.find((each) => turnOf(each) !== undefined)
    if (one === undefined) return { told: Object.fromEntries(told), waiting }
    waiting = waiting.filter((each) => each !== one)
    tell(one)
  }
}
