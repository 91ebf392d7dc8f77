import { gapsOf, unitOf } from '../../deliveries/attempts.ts'
import { eliminate, measure, type Sight } from '../../elimination/eliminate.ts'
import type { Evidence } from '../../evidence/evidence.ts'
import type { Rule } from '../rule.ts'

/** Whether later webhooks of an account wait for older ones that are being repeated. */
export const deliveryOrder: Rule = {
  settings: ['webhook.order'],
  learn: (evidence, { claims }) => [
    eliminate(
      {
        setting: 'webhook.order',
        candidates: ['per-order', 'strict'],
        sights: evidence.isOneClock ? overtakings(evidence) : [],
        decide:
          'a webhook that the application refuses twice, and an order that is created before its last retry',
      },
      claims,
    ),
  ],
}

/** First webhooks of orders that were created while an older webhook was being repeated. They went out at once, or
 *  waited for the end of the older one. */
function overtakings(evidence: Evidence): Sight[] {
  const repeated = evidence.webhooks.flatMap((webhook) => {
    const gaps = gapsOf(webhook)
    const [first] = gaps
    const last = webhook.attempts.at(-1)
    // After a 410 everything waits.
    if (webhook.attempts.some(({ status }) => status === 410)) return []
    if (first === undefined || last === undefined || gaps.length !== webhook.attempts.length - 1) return []
    return [{ webhook, from: first.after.at, to: last.at }]
  })
  return evidence.orders.flatMap(({ created, creates, webhooks, clientId }): Sight[] => {
    const [first] = webhooks
    if (created === null || creates[0] !== created || first === undefined) return []
    const asked = created.at
    const sent = first.attempts[0]
    const older = repeated.filter(
      ({ webhook, from, to }) =>
        webhook !== first &&
        webhook.order?.clientId === clientId &&
        from < asked - 1000 &&
        to > asked + 10_000,
    )
    const [one] = older
    if (one === undefined) return []
    const hasOvertaken = older.some(({ to }) => sent.at < to - 1000)
    // By chance a webhook is rarely due just when an older one ends.
    const hasWaited =
      older.every(({ to }) => sent.at >= to) &&
      repeated.some(({ webhook, to }) => webhook !== first && sent.at >= to && sent.at < to + 5000)
    if (hasOvertaken === hasWaited) return []
    return [
      {
        source: sent.source,
        unit: unitOf(one.webhook),
        words: hasOvertaken
          ? 'the webhook of a new order was sent while an older one was being repeated'
          : 'the webhook of a new order waited until an older one had ended',
        allows: (value) => value === (hasOvertaken ? 'per-order' : 'strict'),
      },
    ]
  })
}

/** How long webhooks carry the signature of the old secret too, after a rotation. */
export const rotation: Rule = {
  settings: ['webhook.rotation.overlap'],
  learn: (evidence, { claims }) => [
    measure(
      {
        setting: 'webhook.rotation.overlap',
        spans: overlaps(evidence),
        evidence: (value, count) => `${count} times webhooks had two signatures for ${value}`,
        decide: 'webhooks every minute around the end of the overlap, in two rotations of the webhook secret',
        nothing: 'no webhook had two signatures',
      },
      claims,
    ),
  ],
}

/** The times during which webhooks had two signatures: at least from the first to the last one that had, at most
 *  between the neighbours that had one. */
function overlaps({ webhooks }: Evidence) {
  const all = webhooks
    .flatMap(({ attempts }) => attempts)
    .filter(({ headers }) => headers['webhook-signature'] !== undefined)
    .toSorted((a, b) => a.at - b.at)
  const isDouble = all.map(
    ({ headers }) => (headers['webhook-signature'] ?? '').trim().split(/\s+/).length > 1,
  )
  return all.flatMap((first, start) => {
    const before = all[start - 1]
    if (!isDouble[start] || before === undefined || isDouble[start - 1]) return []
    const end = isDouble.indexOf(false, start)
    const last = all[end - 1]
    const after = all[end]
    if (last === undefined || after === undefined) return []
    return [
      {
        source: first.source,
        unit: `${first.source.file} ${first.source.place} ${first.at}`,
        words: 'webhooks had two signatures',
        from: last.at - first.at,
        to: after.at - before.at,
      },
    ]
  })
}
