import { type AnswerEffect, usualAnswer } from '../faults/answer/answer-fault.ts'
import type { AnswerRule, Beginning, Effect, ScriptedAmount, WebhookTreatment } from '../scenario/scenario.ts'
import { formatDuration } from '../text/duration.ts'
import type { PlannedFaults } from '../webhook/faults/faults.ts'

/** Fields of a scenario file, as a person would write them. */
export type Written = Readonly<Record<string, unknown>>

/** A duration with a sign, as files write it. */
export const signedText = (ms: number): string => `${ms < 0 ? '-' : ''}${formatDuration(Math.abs(ms))}`

/** Writes an effect as the fields of a step. */
export function writtenEffect(effect: Effect): Written {
  switch (effect.do) {
    case 'pay':
      return { pay: effect.outcome, ...withError(effect) }
    case 'order':
      return { order: effect.status, ...withError(effect) }
    case 'payment':
    case 'settlement':
      return { [effect.do]: effect.status }
    case 'received':
      return { received: amountText(effect.amount) }
    case 'crypto':
      return { crypto: writtenLeg(effect) }
    case 'refund':
      return { refund: refundText(effect) }
    case 'refund-status':
      return { refundStatus: effect.status }
    case 'refund-error':
      return { refundError: effect.error }
    case 'metadata':
      return { metadata: JSON.parse(effect.text) }
    case 'cancel':
      return { cancel: true }
    case 'client':
      return { client: writtenClient(effect) }
    case 'webhook':
      return { webhook: { status: effect.webhook.status ?? undefined, ...writtenTreatment(effect.webhook) } }
  }
}

const withError = ({ errorCode }: { readonly errorCode: string | null }): Written =>
  errorCode === null ? {} : { error: errorCode }

const amountText = (amount: ScriptedAmount): string => {
  if ('exact' in amount) return amount.exact
  return amount.percent === '100' ? 'all' : `${amount.percent}%`
}

function refundText({ amount, status }: Extract<Effect, { do: 'refund' }>): unknown {
  const text = amountText(amount)
  return status === 'REFUND_INITIATED' ? text : { amount: text, status }
}

const writtenLeg = ({ shown, status }: { shown: boolean | null; status: string | null }): Written => ({
  shown: shown ?? undefined,
  order: status ?? undefined,
})

function writtenClient(effect: Extract<Effect, { do: 'client' }>): Written {
  const { tokensExpire, refuseTokensMs, tokenLifetimeMs, webhookUrl } = effect
  const lifetime = typeof tokenLifetimeMs === 'number' ? formatDuration(tokenLifetimeMs) : tokenLifetimeMs
  return {
    tokens: tokensExpire ? 'expired' : undefined,
    refuseTokensFor: refuseTokensMs === null ? undefined : formatDuration(refuseTokensMs),
    tokenLifetime: lifetime ?? undefined,
    ...(webhookUrl !== null && { webhookUrl: 'set' in webhookUrl ? webhookUrl.set : webhookUrl }),
  }
}

/** Writes the initial properties of an order. Metadata that a scenario has padded is written without the padding. */
export function writtenBeginning({ crypto, updatedTsSkewMs, metadata }: Beginning): Written {
  return {
    crypto: crypto === null ? undefined : writtenLeg(crypto),
    updatedTs: updatedTsSkewMs === 0 ? undefined : signedText(updatedTsSkewMs),
    ...(metadata !== null && writtenMetadata(metadata)),
  }
}

function writtenMetadata(text: string): Written {
  const { padding, ...metadata }: Record<string, unknown> = JSON.parse(text)
  if (typeof padding !== 'string' || !/^x{100,}$/.test(padding)) return { metadata: JSON.parse(text) }
  return { metadata, padMetadata: `${Buffer.byteLength(text)}B` }
}

/** Writes how a webhook deviates. Deviations that only a sweep makes are no fields of a file: `unwritable` finds
 *  them. */
export function writtenTreatment(how: WebhookTreatment): Written {
  const { delayMs, duplicate, apartMs, simultaneous, freshIds, body, patch, attempts, faults = {} } = how
  return {
    delay: delayMs === undefined ? undefined : formatDuration(delayMs),
    duplicate,
    apart: apartMs === undefined ? undefined : formatDuration(apartMs),
    simultaneous,
    ids: freshIds === undefined ? undefined : freshIds ? 'fresh' : 'same',
    body,
    patch,
    ...writtenFaults(faults),
    attempts,
  }
}

/** Writes faults of webhook attempts. */
export function writtenFaults(faults: PlannedFaults): Written {
  const { headers, signatures, signatureVersions, sign, timestampMs, tamper, truncate, cut } = faults
  const signs = { right: true, wrong: 'wrong', none: false } as const
  return {
    headers,
    signatures,
    signatureVersions,
    sign: sign === undefined || (sign === 'right' && timestampMs !== undefined) ? undefined : signs[sign],
    timestamp: timestampMs === undefined ? undefined : signedText(timestampMs),
    tamper,
    truncate,
    cut,
    countAs: faults.countAs,
    times: faults.times,
  }
}

/** The names of deviations of a webhook that no scenario file can write. */
export function unwritable(how: WebhookTreatment & { readonly beside?: boolean | undefined }): string[] {
  const { spelling, companion, hurried, beside, faults } = how
  const found = {
    'another spelling of the same JSON': spelling,
    'a further webhook after it': companion,
    'copies within a second': hurried,
    'two webhooks at the same time': beside,
    'an attempt that is lost on the way': faults?.lost,
    'a pause on the wall clock': faults?.pauseMs,
  }
  return Object.entries(found).flatMap(([name, value]) => (value === undefined ? [] : [name]))
}

/** Writes a rule for answers; null if only a sweep can have made it. */
export function writtenAnswer({ on, when, effect, skip, times, forMs, ...rest }: AnswerRule): Written | null {
  const { wallMs, afterWebhook, shows } = effect
  if ((rest.orders ?? wallMs ?? afterWebhook ?? shows) !== undefined) return null
  return {
    on: on.length === 1 ? on[0] : on,
    when: when === 'before' ? undefined : when,
    effect: writtenAnswerEffect(effect),
    skip: skip === 0 ? undefined : skip,
    times: times ?? undefined,
    for: forMs === null ? undefined : formatDuration(forMs),
  }
}

function writtenAnswerEffect({
  status,
  body,
  headers,
  delayMs,
  leaves,
  closedAfterMs,
  stale,
}: AnswerEffect): Written {
  const changed = Object.keys(headers).length === 0 ? usualAnswer.headers : headers
  return {
    status: status ?? undefined,
    body: body ?? undefined,
    headers: changed === usualAnswer.headers ? undefined : changed,
    delay: delayMs === 0 ? undefined : formatDuration(delayMs),
    hang: leaves !== 'never' ? undefined : closedAfterMs === null ? 'forever' : formatDuration(closedAfterMs),
    reset: leaves === 'reset' ? true : undefined,
    cut: leaves === 'cut' ? true : undefined,
    stale,
  }
}
