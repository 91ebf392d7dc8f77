import type { PlannedFaults } from './attempt-faults.ts'
import type { Circumstances } from './change.ts'
import type { SettingsOverlay } from './choices.ts'
import type { DeliveryPlan, NewDelivery } from './delivery.ts'
import { eventIds } from './ids.ts'
import { mergePatch } from './merge-patch.ts'
import { type News, payload } from './payload.ts'
import type { WebhookRule } from './scenario/webhook-rules.ts'
import type { EpochMs } from './time.ts'

/** Several rules about one webhook as one. */
export interface Treatment extends Omit<WebhookRule, 'of' | 'faults'> {
  readonly faults: readonly PlannedFaults[]
}

/** What rules come to: the later one holds, member by member. Faults stand side by side, because they may be about
 *  different attempts. */
export function treated(rules: readonly WebhookRule[]): Treatment {
  const faults = rules.flatMap((rule) => rule.faults ?? [])
  const bodied = rules.findLast(({ body, patch }) => (body ?? patch) !== undefined)
  let last: WebhookRule = {}
  for (const rule of rules) last = { ...last, ...rule }
  return { ...last, body: bodied?.body, patch: bodied?.patch, faults }
}

/** Where a webhook stands among those of its order, and from when on it may leave. */
interface Place {
  readonly sequence: number
  readonly dueFrom: EpochMs
  readonly awaitsAnswer: boolean
}

/** The outbox rows of one webhook: itself and its copies. Those of one moment share its sequence, the others have
 *  sequences of their own, so that each waits for the one before. */
export function webhookRows(
  news: News,
  how: Treatment,
  { sequence, dueFrom, awaitsAnswer }: Place,
  around: Circumstances,
): NewDelivery[] {
  const { delayMs = 0, duplicate = 0, apartMs = 0, simultaneous = 0, freshIds = false } = how
  const { orderId, requestId, clientId, eventType, orderStatus, orderType } = news.event
  const row = (n: number, copy: number): NewDelivery => {
    const { id, webhookId: own } = eventIds(orderId, sequence + n, copy)
    const webhookId = freshIds ? own : eventIds(orderId, sequence).webhookId
    const laterMs = delayMs + n * apartMs
    return {
      ...{ id, webhookId, clientId, requestId, orderId, sequence: sequence + n },
      ...{ eventType, orderStatus, orderType },
      ...bodyOf(news, how, webhookId, around),
      createdAt: around.nowMs,
      ...departure({ awaitsAnswer, dueAt: dueFrom + laterMs, nowMs: around.nowMs }, around),
      plan: planOf(how, { laterMs, awaitsAnswer, delayed: dueFrom + laterMs > around.nowMs }, around),
    }
  }
  return [
    ...range(simultaneous + 1).map((copy) => row(0, copy)),
    ...range(duplicate).map((index) => row(index + 1, 0)),
  ]
}

function bodyOf(
  { event, at }: News,
  { body, patch }: Treatment,
  webhookId: string,
  { settings }: Circumstances,
): Pick<NewDelivery, 'body' | 'verbatim'> {
  if (body !== undefined) return { body, verbatim: true }
  const right = payload(event, { settings, webhookId, at })
  return { body: patch === undefined ? right : mergePatch(right, patch) }
}

/** What leaves at once is skipped without a URL; what leaves later looks for it then (N47, N48). */
function departure(
  { awaitsAnswer, dueAt, nowMs }: { awaitsAnswer: boolean; dueAt: EpochMs; nowMs: EpochMs },
  { client }: Circumstances,
): Pick<NewDelivery, 'dueAt' | 'status'> {
  if (client.webhookUrl === null && dueAt <= nowMs) return { dueAt, status: 'skipped' }
  return { dueAt: awaitsAnswer ? null : dueAt, status: 'pending' }
}

function planOf(
  { faults, attempts }: Treatment,
  { laterMs, awaitsAnswer, delayed }: { laterMs: number; awaitsAnswer: boolean; delayed: boolean },
  { scenario }: Circumstances,
): DeliveryPlan | null {
  const settings = sendersOf(scenario.settings)
  const plan: DeliveryPlan = {
    ...(settings !== null && { settings }),
    ...(faults.length > 0 && { faults }),
    ...(attempts !== undefined && { attempts }),
    ...(delayed && ({ delayed } as const)),
    ...(laterMs > 0 && awaitsAnswer && { delayMs: laterMs }),
  }
  return Object.keys(plan).length === 0 ? null : plan
}

/** What the sender reads, of the settings that a scenario brings; null if it brings none of those. */
function sendersOf(settings: SettingsOverlay): SettingsOverlay | null {
  const read = Object.entries(settings).filter(([name]) => readWhenSending.test(name))
  return read.length === 0 ? null : Object.fromEntries(read)
}

const readWhenSending = /^webhook\.(auth|signTime|timeout|accept|retry\.\w+)$/

const range = (length: number): number[] => Array.from({ length }, (_, index) => index)
