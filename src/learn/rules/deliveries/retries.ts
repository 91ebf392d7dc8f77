import { formatDuration, parseDuration } from '../../../domain/text/duration.ts'
import { type Gap, gapsOf, isGivenUp, unitOf } from '../../deliveries/attempts.ts'
import { type Bounds, boundsOf } from '../../deliveries/waits.ts'
import { undecided } from '../../elimination/caution.ts'
import { eliminate, measure, roundest, type Sight } from '../../elimination/eliminate.ts'
import type { Finding } from '../../elimination/finding.ts'
import type { Evidence, SeenWebhook } from '../../evidence/evidence.ts'
import type { Context, Rule } from '../rule.ts'

/** How often and when failed webhooks are sent again: from the waits between their attempts. */
export const retries: Rule = {
  settings: [
    'webhook.retry.schedule',
    'webhook.retry.base',
    'webhook.retry.cap',
    'webhook.retry.max',
    'webhook.retry.after',
  ],
  learn: (evidence, context) => {
    const seen = retriesIn(evidence)
    const schedule = scheduleFinding(seen, context)
    const isList = Array.isArray(schedule.value)
    return [
      schedule,
      ...(isList ? instead(context) : doublingFindings(seen, schedule, context)),
      retryAfterFinding(seen, context),
    ]
  },
  unexplained: (evidence) =>
    retriesIn(evidence).steps.flatMap(({ n, bounds, gaps }) => {
      const waits = gaps.map(({ ms }) => ms).toSorted((a, b) => a - b)
      const [first] = gaps
      if (bounds !== null || first === undefined) return []
      return {
        what: `waits before retry ${n} of webhooks that differ`,
        count: gaps.length,
        of: null,
        example: `${formatDuration(waits[0] ?? 0)} to ${formatDuration(waits.at(-1) ?? 0)}`,
        source: first.after.source,
      }
    }),
}

/** The waits before one retry, over all webhooks. */
interface Step {
  /** The number of the retry, from 1. */
  readonly n: number
  readonly gaps: readonly Gap[]
  /** Null if they differ too much. */
  readonly bounds: Bounds | null
}

interface Retries {
  readonly steps: readonly Step[]
  /** All waits, also those with a `Retry-After`. */
  readonly gaps: readonly Gap[]
  /** Webhooks whose last attempt failed too. */
  readonly givenUp: readonly SeenWebhook[]
  readonly all: readonly SeenWebhook[]
}

function retriesIn(evidence: Evidence): Retries {
  const webhooks = evidence.webhooks.filter(({ attempts }) => attempts.every(({ status }) => status !== 410))
  const gaps = webhooks.flatMap(gapsOf)
  const usual = Map.groupBy(
    gaps.filter(({ wishMs }) => wishMs === null),
    ({ n }) => n,
  )
  const steps = [...usual]
    .toSorted(([a], [b]) => a - b)
    .map(([n, list]) => ({ n, gaps: list, bounds: boundsOf(list) }))
  // An answer that is never followed by a retry may count as a success.
  const retried = new Set(gaps.map(({ after }) => after.status))
  const givenUp = webhooks.filter((webhook) => {
    const waits = gapsOf(webhook)
    const isWhole = waits.length === webhook.attempts.length - 1
    const hasFailed = retried.has(webhook.attempts.at(-1)?.status ?? null)
    return isWhole && hasFailed && isGivenUp(webhook, waits.at(-1)?.ms ?? 0, evidence)
  })
  return { steps, gaps, givenUp, all: webhooks }
}

const decideSchedule = 'two webhooks that the application refuses until no more attempts come'

/** Whether the waits double, or follow a list. */
function scheduleFinding({ steps, givenUp, all }: Retries, { claims }: Context): Finding {
  const whole = givenUp.map(({ attempts }) => attempts.length - 1)
  const longest = Math.max(0, ...whole)
  const list = steps.slice(0, longest).map(({ bounds }) => bounds && roundest(bounds.from, bounds.to))
  const isComplete = longest > 0 && list.length === longest && list.every((ms) => ms !== null)
  const written = isComplete ? list.map((ms) => formatDuration(ms ?? 0)) : null
  const doubles = doublingOf(steps) !== null
  // Two waits that double may begin a list as well.
  const isTold = doubles ? steps.length >= 3 : isComplete
  const candidates = [
    ...(doubles || !isComplete ? ['doubling'] : []),
    ...(written && !doubles ? [written] : []),
  ]
  const sights: Sight[] = [
    ...steps.flatMap(({ n, gaps, bounds }): Sight[] =>
      bounds === null
        ? []
        : gaps.map(({ webhook, after, ms }) => ({
            source: after.source,
            unit: unitOf(webhook),
            words: `retry ${n} came after ${formatDuration(ms)}`,
            allows: (value) => allowsWait(value, n, bounds, steps),
          })),
    ),
    ...givenUp.map((webhook) => ({
      source: webhook.attempts[0].source,
      unit: unitOf(webhook),
      words: `no attempt came after retry ${webhook.attempts.length - 1}`,
      allows: (value: unknown) => !Array.isArray(value) || value.length === webhook.attempts.length - 1,
    })),
    ...all.map((webhook) => ({
      source: webhook.attempts[0].source,
      unit: unitOf(webhook),
      words: `retry ${gapsOf(webhook).length} came`,
      allows: (value: unknown) => !Array.isArray(value) || value.length >= gapsOf(webhook).length,
    })),
  ]
  const finding = eliminate(
    {
      setting: 'webhook.retry.schedule',
      candidates,
      sights,
      isOpen: true,
      evidence: () =>
        `${new Set(steps.flatMap(({ gaps }) => gaps.map(({ webhook }) => unitOf(webhook)))).size} webhooks were sent again after ${steps.map(({ gaps }) => formatDuration(Math.min(...gaps.map(({ ms }) => ms)))).join(', ')}`,
      decide: decideSchedule,
    },
    claims,
  )
  if (!isTold) {
    const few = 'too few retries to tell a list from doubled waits'
    const evidence = steps.length === 0 ? 'no webhook was sent again' : few
    return undecided(finding, { evidence, decide: decideSchedule })
  }
  const lacksProof = Array.isArray(finding.value) && givenUp.length < 2
  return finding.state === 'known' && lacksProof
    ? { ...finding, state: 'likely', decide: decideSchedule }
    : finding
}

/** Whether a retry may have come after a wait under a value of `webhook.retry.schedule`. */
function allowsWait(value: unknown, n: number, { from, to }: Bounds, steps: readonly Step[]): boolean {
  if (!Array.isArray(value)) return doublingOf(steps) !== null || steps.length < 2
  const wait = value[n - 1]
  if (typeof wait !== 'string') return false
  const ms = parseDuration(wait) ?? Number.NaN
  return ms >= from && ms <= to
}

/** The base and the cap of waits that double; null if they do not. The cap is null if no wait has reached it. */
function doublingOf(steps: readonly Step[]): { readonly base: Bounds; readonly cap: Bounds | null } | null {
  let base: Bounds | null = null
  let cap: Bounds | null = null
  for (const { n, bounds } of steps) {
    if (bounds === null) return null
    const factor = 2 ** (n - 1)
    const asBase = { from: bounds.from / factor, to: bounds.to / factor }
    const both: Bounds | null = cap === null ? overlap(base ?? asBase, asBase) : null
    if (both !== null) base = both
    else {
      // Beyond the cap all waits are equal, and shorter than doubled ones.
      if (base === null || bounds.from > base.to * factor) return null
      cap = overlap(cap ?? bounds, bounds)
      if (cap === null || cap.to < base.from) return null
    }
  }
  return base === null ? null : { base, cap }
}

function overlap(a: Bounds, b: Bounds): Bounds | null {
  const both = { from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) }
  return both.from > both.to ? null : both
}

/** With a list, number, base and cap do not apply. */
const instead = ({ claims }: Context): Finding[] =>
  (['webhook.retry.base', 'webhook.retry.cap', 'webhook.retry.max'] as const).map((setting) =>
    undecided(eliminate({ setting, candidates: [], sights: [], decide: '' }, claims), {
      evidence: '`webhook.retry.schedule` decides instead',
      decide: null,
    }),
  )

function doublingFindings(seen: Retries, schedule: Finding, { claims }: Context): Finding[] {
  const doubled = doublingOf(seen.steps)
  const isDoubling = schedule.value === 'doubling'
  const spansFor = (bounds: Bounds | null | undefined, gaps: readonly Gap[]) =>
    bounds == null
      ? []
      : gaps.map(({ webhook, after, n, ms }) => ({
          ...bounds,
          source: after.source,
          unit: unitOf(webhook),
          words: `retry ${n} came after ${formatDuration(ms)}`,
        }))
  const capped = seen.steps.filter(
    ({ n, bounds }) => doubled !== null && bounds !== null && bounds.to < doubled.base.from * 2 ** (n - 1),
  )
  const given = seen.givenUp
  const cap = measure(
    {
      setting: 'webhook.retry.cap',
      spans: spansFor(
        doubled?.cap,
        capped.flatMap(({ gaps }) => gaps),
      ),
      evidence: (value) => `from retry ${capped[0]?.n} on the waits stay at ${value}`,
      decide: 'a webhook that is refused until its waits grow no longer',
      nothing: 'no wait has reached it',
    },
    claims,
  )
  const base = measure(
    {
      setting: 'webhook.retry.base',
      spans: spansFor(doubled?.base, seen.steps[0]?.gaps ?? []),
      evidence: (value, count) =>
        `first retries of ${count} webhooks came after ${value}, later waits doubled`,
      decide: 'two webhooks that the application refuses three times',
    },
    claims,
  )
  const max = eliminate(
    {
      setting: 'webhook.retry.max',
      candidates: given.map(({ attempts }) => attempts.length - 1),
      isOpen: given.length > 0,
      sights: [
        ...given.map((webhook) => ({
          source: webhook.attempts[0].source,
          unit: unitOf(webhook),
          words: `no attempt came after retry ${webhook.attempts.length - 1}`,
          allows: (value: unknown) => value === webhook.attempts.length - 1,
        })),
        ...seen.all.map((webhook) => ({
          source: webhook.attempts[0].source,
          unit: 'all webhooks with fewer attempts',
          words: `retry ${gapsOf(webhook).length} came`,
          allows: (value: unknown) => typeof value === 'number' && value >= gapsOf(webhook).length,
        })),
      ].filter(({ unit }) => given.length > 1 || unit !== 'all webhooks with fewer attempts'),
      evidence: (value, count) =>
        `after ${value} retries ${Math.min(count, given.length)} webhooks were given up`,
      decide: decideSchedule,
      nothing: 'no webhook was refused until the attempts ended',
    },
    claims,
  )
  return isDoubling
    ? [base, cap, max]
    : [base, cap, max].map((one) => undecided(one, { evidence: schedule.evidence, decide: decideSchedule }))
}

/** Whether a `Retry-After` of the receiver is honoured. Only waits that differ from the usual ones show it. */
function retryAfterFinding({ steps, gaps }: Retries, { claims }: Context): Finding {
  const sights = gaps.flatMap(({ webhook, after, n, ms, wishMs }): Sight[] => {
    const usual = steps.find((step) => step.n === n)?.bounds ?? null
    if (wishMs === null || usual === null || wishMs < usual.to * 1.2 + 500) return []
    const isHonoured = ms >= wishMs - 100 && ms > usual.to * 1.1
    const isIgnored = ms <= usual.to * 1.1 + 100
    if (isHonoured === isIgnored) return []
    return [
      {
        source: after.source,
        unit: unitOf(webhook),
        words: `\`Retry-After\` asked for ${formatDuration(wishMs)}, and retry ${n} came after ${formatDuration(ms)}`,
        allows: (value) => value === (isHonoured ? 'honour' : 'ignore'),
      },
    ]
  })
  return eliminate(
    {
      setting: 'webhook.retry.after',
      candidates: ['honour', 'ignore'],
      sights,
      decide: 'a webhook that is answered 503 with a `Retry-After` that is longer than the usual wait',
    },
    claims,
  )
}
