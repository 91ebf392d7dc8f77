import type { Settings } from '../choices/settings.ts'
import type { Order } from '../order/order.ts'
import { likelyTypo } from '../order/statuses.ts'
import { isMapping } from '../text/objects.ts'
import type { Attempt, Delivery } from '../webhook/delivery.ts'
import { faultsAt } from '../webhook/faults/attempt-faults.ts'
import { orderEvent, orderType } from '../webhook/payload.ts'
import { neededFaults } from './attempt-chains.ts'
import { type Written, writtenFaults } from './written-scenario.ts'

/** A webhook as a step of its own, without its time. */
export interface WebhookStep {
  readonly fields: Written
  readonly notes: readonly string[]
}

/** Writes attempts of a webhook as a step that sends it.
 *  @param order the order; `orderStatus` and `errorReason` as they were at that time
 *  @param copies how often it was sent at once by hand */
export function webhookStep(
  delivery: Delivery,
  chain: readonly Attempt[],
  { order, settings, copies = 1 }: { order: Order; settings: Settings; copies?: number },
): WebhookStep {
  const [first] = chain
  const {
    duplicate: _,
    apartMs: __,
    ...faults
  } = first === undefined ? {} : scriptedFaults(delivery, first.n)
  const name = `the webhook ${delivery.orderStatus || delivery.eventType}`
  const plan = { faults: [faults], attempts: copies > 1 ? 1 : undefined }
  const needed = neededFaults(copies > 1 ? chain.slice(0, 1) : chain, delivery, { plan, settings, name })
  const content = contentOf(delivery, order, settings)
  const [rule, ...others] = needed.rules
  const notes = [...needed.notes]
  if (others.length > 0) notes.push(`The failed attempts of ${name} all count as ${rule?.countAs ?? 'cut'}.`)
  const webhook = {
    ...content,
    ...writtenFaults(faults),
    ...rule,
    duplicate: copies > 1 ? copies - 1 : undefined,
    attempts: copies > 1 ? 1 : needed.attempts,
  }
  return { fields: { webhook }, notes }
}

/** The faults of an attempt that come from the scenario or from a hand-made webhook, not from a planned fault. */
const scriptedFaults = ({ plan }: Delivery, attempt: number) =>
  faultsAt({ faults: plan?.faults?.filter(({ fault }) => fault === undefined) }, attempt)

/** The content of a webhook, as differences from the one about the order as it is. */
function contentOf({ body, orderStatus }: Delivery, order: Order, settings: Settings): Written {
  const hasWords = [settings['words.webhook'], settings['words.events']].some(
    (words) => Object.keys(words).length > 0,
  )
  if (settings['webhook.format'] !== 'flat' || hasWords)
    return orderStatus === order.orderStatus || orderStatus === '' ? {} : statusOr(orderStatus)
  const sent = jsonObject(body)
  if (sent === null) return { body }
  const usual = orderEvent(order, orderType(order.kind, settings))
  const isAsIs = sent.orderStatus === usual.orderStatus && sent.errorCode === usual.errorCode
  const claims = typeof sent.orderStatus === 'string' && likelyTypo(sent.orderStatus) === undefined
  const status = isAsIs || !claims ? undefined : sent.orderStatus
  const base: Record<string, unknown> = {
    ...usual,
    ...(status !== undefined && { orderStatus: status, errorCode: undefined }),
  }
  const names = new Set([...Object.keys(base), ...Object.keys(sent)])
  const changed = [...names].filter((name) => JSON.stringify(base[name]) !== JSON.stringify(sent[name]))
  const patch = Object.fromEntries(changed.map((name) => [name, sent[name] ?? null]))
  // Files cannot have these names, but a text can.
  if (/"(<<|__proto__)":/.test(JSON.stringify(patch))) return { body }
  return { status, patch: changed.length === 0 ? undefined : patch }
}

const statusOr = (status: string): Written =>
  likelyTypo(status) === undefined ? { status } : { patch: { orderStatus: status } }

function jsonObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return isMapping(value) ? Object.fromEntries(Object.entries(value)) : null
  } catch {
    return null
  }
}
