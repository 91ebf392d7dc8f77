import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'

const page = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item), next: z.string().nullable() })
const order = z.object({
  orderId: z.string(),
  requestId: z.string(),
  orderStatus: z.string(),
  history: z.array(z.object({ what: z.string() })),
  deliveries: z.array(z.string()),
})
const delivery = z.object({
  id: z.string(),
  webhookId: z.string(),
  orderStatus: z.string(),
  status: z.string(),
  attempts: z.array(z.object({ n: z.number(), outcome: z.string() })),
})

/** What the emulator itself says about its world. */
export interface World {
  /** requestIds of all orders. */
  readonly orders: ReadonlySet<string>
  /** What is only half there, in words. */
  readonly half: readonly string[]
  /** Attempts by their outcome. */
  readonly attempts: Readonly<Record<string, number>>
  /** How many attempts are on record, by `webhook-id`. */
  readonly attemptsOf: ReadonlyMap<string, number>
}

/** Waits until nothing is on its way any more, but no longer than `patienceMs`. */
export async function drained(url: string, patienceMs: number): Promise<void> {
  const deadline = performance.now() + patienceMs
  const open = async (path: string) =>
    (await read(url, `${path}&limit=1`, page(z.unknown()))).items.length > 0
  while (performance.now() < deadline) {
    if (!(await open('orders?status=CREATED')) && !(await open('deliveries?status=pending'))) return
    await pause(100)
  }
}

/** Looks at all orders and deliveries after a drain: each is to be there as a whole, as the scenario `happy` makes it. */
export async function worldOf(url: string): Promise<World> {
  const orders = await all(url, 'orders', order)
  const deliveries = new Map((await all(url, 'deliveries', delivery)).map((one) => [one.id, one]))
  const half: string[] = []
  const attempts: Record<string, number> = {}
  const attemptsOf = new Map<string, number>()
  for (const { webhookId, attempts: made } of deliveries.values()) {
    attemptsOf.set(webhookId, made.length)
    if (made.some(({ n }, index) => n !== index + 1)) half.push(`attempts ${made.map(({ n }) => n)}`)
    for (const { outcome } of made) attempts[outcome] = (attempts[outcome] ?? 0) + 1
  }
  for (const { requestId, orderStatus, history, deliveries: ids } of orders) {
    const told = ids.map((id) => deliveries.get(id)).map((one) => `${one?.orderStatus} ${one?.status}`)
    const life = `${orderStatus}; ${history.map(({ what }) => what)}; ${told}`
    if (life !== wholeLife) half.push(`order ${requestId}: ${life}`)
    for (const id of ids) deliveries.delete(id)
  }
  for (const { id } of deliveries.values()) half.push(`delivery ${id} belongs to no order`)
  return { orders: new Set(orders.map(({ requestId }) => requestId)), half, attempts, attemptsOf }
}

const wholeLife = 'COMPLETED; created,paid,payment,order; CREATED delivered,COMPLETED delivered'

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

async function read<T extends z.ZodType>(url: string, path: string, shape: T): Promise<z.output<T>> {
  return shape.parse(await (await fetch(new URL(`/_emulator/${path}`, url))).json())
}
