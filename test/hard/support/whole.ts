import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod'
import { chargeDate } from '../../model/calendar.ts'
import { endsOf } from './lives.ts'

const page = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item), next: z.string().nullable() })
const order = z.object({
  orderId: z.string(),
  requestId: z.string(),
  charge: z.number(),
  createdAt: z.number(),
  orderStatus: z.string(),
  scenario: z.object({ id: z.string() }),
  refunds: z.array(z.object({ refundId: z.string(), fiatAmount: z.string(), status: z.string() })),
  history: z.array(z.object({ at: z.number(), what: z.string() })),
  timeline: z.array(z.object({ what: z.string(), dueAt: z.number().nullable() })),
  deliveries: z.array(z.string()),
})
type Order = z.output<typeof order>
const delivery = z.object({
  id: z.string(),
  webhookId: z.string(),
  orderStatus: z.string(),
  status: z.string(),
  attempts: z.array(z.object({ n: z.number(), outcome: z.string() })),
})

/** The emulator's own report about its data. */
export interface World {
  /** requestIds of all orders. */
  readonly orders: ReadonlySet<string>
  /** orderIds of all orders, those of later charges included. */
  readonly orderIds: ReadonlySet<string>
  /** Incomplete objects, in words. */
  readonly half: readonly string[]
  /** Attempts by their outcome. */
  readonly attempts: Readonly<Record<string, number>>
  /** How many attempts are on record, by `webhook-id`. */
  readonly attemptsOf: ReadonlyMap<string, number>
}

/** Waits until nothing is on its way any more and nothing comes by itself, but no longer than `patienceMs`. */
export async function drained(url: string, patienceMs: number): Promise<void> {
  const deadline = performance.now() + patienceMs
  const open = async (path: string) =>
    (await read(url, `${path}&limit=1`, page(z.unknown()))).items.length > 0
  while (performance.now() < deadline) {
    const coming = (await nextDueAt(url)) !== null
    if (!coming && !(await open('orders?status=CREATED')) && !(await open('deliveries?status=pending')))
      return
    await pause(100)
  }
}

/** Looks at all orders and deliveries after a drain: each is to be there as a whole, as its scenario makes it. */
export async function worldOf(url: string): Promise<World> {
  const orders = await all(url, 'orders', order)
  const deliveries = new Map((await all(url, 'deliveries', delivery)).map((one) => [one.id, one]))
  const half = wrongCharges(orders)
  const attempts: Record<string, number> = {}
  const attemptsOf = new Map<string, number>()
  for (const { webhookId, attempts: made } of deliveries.values()) {
    attemptsOf.set(webhookId, made.length)
    if (made.some(({ n }, index) => n !== index + 1)) half.push(`attempts ${made.map(({ n }) => n)}`)
    for (const { outcome } of made) attempts[outcome] = (attempts[outcome] ?? 0) + 1
  }
  for (const one of orders) {
    const told = one.deliveries.map((id) => deliveries.get(id))
    const life = lifeOf(one, told.map((event) => `${event?.orderStatus} ${event?.status}`).join())
    if (life !== wholeLifeOf(one)) half.push(`charge ${one.charge} of ${one.requestId}: ${life}`)
    for (const id of one.deliveries) deliveries.delete(id)
  }
  for (const { id } of deliveries.values()) half.push(`delivery ${id} belongs to no order`)
  return {
    orders: new Set(orders.map(({ requestId }) => requestId)),
    orderIds: new Set(orders.map(({ orderId }) => orderId)),
    half,
    attempts,
    attemptsOf,
  }
}

function lifeOf({ orderStatus, history, refunds }: Order, told: string): string {
  const different = new Map(refunds.map((refund) => [refund.refundId, refund])).values()
  const given = [...different].map(({ fiatAmount, status }) => `${fiatAmount} ${status}`)
  return [orderStatus, history.map(({ what }) => what), given, told].join('; ')
}

function wholeLifeOf({ scenario, charge }: Order): string {
  const end = endsOf[scenario.id]?.[charge - 1]
  if (end === undefined) return 'none'
  const { orderStatus, history, refunds } = end
  return [orderStatus, history, refunds, `CREATED delivered,${orderStatus} delivered`].join('; ')
}

/** Charges to come whose date is another than that counted from the first one, however late those before them came. */
export async function wrongDates(url: string): Promise<string[]> {
  const wrong: string[] = []
  for (const { requestId, history, timeline } of await all(url, 'orders', order)) {
    for (const { what, dueAt } of timeline.filter((each) => each.what.startsWith('charge '))) {
      const date = dateOf(Number(what.slice('charge '.length)), anchorOf(history))
      if (dueAt !== date) wrong.push(`${what} of ${requestId} is due at ${dueAt}, not at ${date}`)
    }
  }
  return wrong
}

/** The date of the first charge: a subscription without a trial begins when it is paid. */
const anchorOf = (history: Order['history']) => history.find(({ what }) => what === 'paid')?.at ?? Number.NaN

const dateOf = (charge: number, anchor: number) =>
  chargeDate(anchor, charge, { interval: 'MONTHLY', offsetMinutes: 0 })

/** Charges that are missing, that are there twice, or that came before their date. */
function wrongCharges(orders: readonly Order[]): string[] {
  const wrong: string[] = []
  for (const [requestId, records] of Map.groupBy(orders, (one) => one.requestId)) {
    const [first] = records
    const expected = (endsOf[first?.scenario.id ?? ''] ?? []).map((_, index) => index + 1)
    const numbers = records.map(({ charge }) => charge)
    if (numbers.join() !== expected.join()) wrong.push(`charges of ${requestId}: ${numbers}`)
    const anchor = anchorOf(first?.history ?? [])
    for (const { charge, createdAt } of records.slice(1)) {
      // Events that became due while no program ran arrive with the next start, at an unspecified time.
      const lateMs = createdAt - dateOf(charge, anchor)
      if (!(lateMs >= 0)) wrong.push(`charge ${charge} of ${requestId}: ${-lateMs} ms early`)
    }
  }
  return wrong
}

async function all<T extends z.ZodType>(url: string, what: string, item: T): Promise<z.output<T>[]> {
  const items: z.output<T>[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const answer = await read(url, `${what}?limit=1000${from}`, page(item))
    items.push(...answer.items)
    cursor = answer.next
  }
  return items
}

/** When something happens next by itself; null if nothing does. Waits for what is due now. */
async function nextDueAt(url: string): Promise<number | null> {
  const answer = await fetch(new URL('/_emulator/clock/advance', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ by: '0s' }),
  })
  return z.object({ nextDueAt: z.number().nullable() }).parse(await answer.json()).nextDueAt
}

async function read<T extends z.ZodType>(url: string, path: string, shape: T): Promise<z.output<T>> {
  return shape.parse(await (await fetch(new URL(`/_emulator/${path}`, url))).json())
}
