import { settingsSchema } from '../../../domain/choices/settings.ts'
import { formatDuration } from '../../../domain/text/duration.ts'
import { gapsOf, hasFailed, isGivenUp, isSuccess, unitOf, urlChanges } from '../../deliveries/attempts.ts'
import { type Bounds, boundsOf } from '../../deliveries/waits.ts'
import { undecided } from '../../elimination/caution.ts'
import { eliminate, measure, type Sight, type Span } from '../../elimination/eliminate.ts'
import type { Finding } from '../../elimination/finding.ts'
import type { Evidence, SeenWebhook } from '../../evidence/evidence.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import type { Context, Rule } from '../rule.ts'

/** What the service makes of a receiver's answers: which count as a success, how long it waits for them, and what a
 *  410 does. */
export const receivers: Rule = {
  settings: ['webhook.accept', 'webhook.timeout', 'webhook.gone', 'webhook.disableAfter'],
  learn: (evidence, context) => [
    acceptFinding(evidence, context),
    timeoutFinding(evidence, context),
    goneFinding(evidence, context),
    disableFinding(evidence, context),
  ],
}

/** How soon after a failure a retry would have come at the latest, as far as other webhooks show. */
function longestWait({ webhooks }: Evidence): number {
  const gaps = webhooks.flatMap(gapsOf).filter(({ after }) => after.status !== 410)
  return Math.max(0, ...gaps.map(({ ms }) => ms))
}

function acceptFinding(evidence: Evidence, { claims }: Context): Finding {
  const wait = boundsOf(
    evidence.webhooks.flatMap((webhook) =>
      gapsOf(webhook).filter(({ n, wishMs, after }) => n === 1 && wishMs === null && after.status !== 410),
    ),
  )
  const sights = evidence.webhooks.flatMap((webhook) => answersOf(webhook, evidence, wait))
  const accepted = statuses(sights.filter(({ isAccepted }) => isAccepted))
  const failed = statuses(sights.filter(({ isAccepted }) => !isAccepted))
  const good = [...new Set([...accepted, ...failed])].filter((status) => status < 300)
  const isAny = good.every((status) => !failed.includes(status))
  const list = [...(isAny ? ['2xx'] : []), ...accepted.filter((status) => !isAny || status >= 300)]
  const seen = `${accepted.join(', ') || 'no status'} counts as a success, ${failed.join(', ') || 'no status'} as a failure`
  const finding = eliminate(
    {
      setting: 'webhook.accept',
      candidates: [list.length === 1 ? list[0] : list],
      isOpen: true,
      sights,
      evidence: () => seen,
      decide: decideAccept,
      nothing: 'no webhook was sent again',
    },
    claims,
  )
  // Fewer statuses of success do not tell `2xx` from a list.
  if (good.length >= 3 || sights.length === 0) return finding
  return undecided(finding, { evidence: seen, decide: decideAccept })
}

const decideAccept = 'webhooks that are answered 200, 201, 202 and 204, twice each'

const statuses = (sights: readonly { readonly status: number }[]): number[] =>
  [...new Set(sights.map(({ status }) => status))].toSorted((a, b) => a - b)

type AnswerSight = Sight & { readonly status: number; readonly isAccepted: boolean }

/** What became of a webhook after an answer: another attempt after the usual wait, or none although there was time.
 *  @param wait the wait before the first retry of other webhooks; null if it is not known */
function answersOf(webhook: SeenWebhook, evidence: Evidence, wait: Bounds | null): AnswerSight[] {
  const [first, second] = webhook.attempts
  const { status } = first
  // Without a retry anywhere, silence does not tell a success from a service that never repeats.
  if (status === null || status === 410 || wait === null) return []
  const isAccepted = second === undefined
  if (isAccepted && !hasTime(first, evidence, wait.to)) return []
  // A copy after a success comes at once, or by hand.
  const gap = (second?.at ?? first.at) - first.at
  if (!isAccepted && isSuccess(first) && (gap < wait.from - 20 || gap > wait.to * 1.1 + 1000)) return []
  return [
    {
      status,
      isAccepted,
      source: first.source,
      unit: unitOf(webhook),
      words: isAccepted
        ? `no attempt came after the answer ${status}`
        : `an attempt came after the answer ${status}`,
      allows: (value) => acceptsBy(value, status) === isAccepted,
    },
  ]
}

const hasTime = ({ at }: Exchange, { until }: Evidence, longestMs: number): boolean =>
  until - at > 2 * longestMs + 60_000

/** Whether a status is a success under a value of `webhook.accept`. */
function acceptsBy(value: unknown, status: number): boolean {
  const read = settingsSchema.shape['webhook.accept'].safeParse(value)
  if (!read.success) return false
  return read.data.some((each) => (each === '2xx' ? status >= 200 && status < 300 : each === status))
}

function timeoutFinding(evidence: Evidence, { claims }: Context): Finding {
  const attempts = evidence.webhooks.flatMap((webhook) =>
    webhook.attempts.map((attempt) => ({ webhook, attempt })),
  )
  // A refused or broken connection ends at once.
  const cut = attempts.filter(
    ({ attempt: { status, ms, isAnswered } }) => isAnswered && status === null && ms !== null && ms >= 200,
  )
  const slow = attempts.filter(({ attempt }) => isSuccess(attempt) && (attempt.ms ?? 0) > 0)
  const slowest = Math.max(0, ...slow.map(({ attempt }) => attempt.ms ?? 0))
  // A sender notices late, and never early: the shortest wait is the closest. A busy one is late by up to a fifth.
  const least = Math.min(...cut.map(({ attempt }) => attempt.ms ?? Number.POSITIVE_INFINITY))
  const below = least % (least < 3000 ? 500 : 1000) <= promptMs ? 2 * promptMs : Math.max(lateMs, least / 5)
  const spans = cut.map(({ webhook, attempt: { ms, source } }): Span => {
    const words = `an attempt without an answer ended after ${formatDuration(ms ?? 0)}`
    return { source, unit: unitOf(webhook), words, from: least - below, to: least + 20 }
  })
  const [first] = slow
  const answered: Span[] =
    spans.length < 2 || first === undefined
      ? []
      : [
          {
            source: first.attempt.source,
            unit: spans[0]?.unit ?? '',
            words: `an answer after ${formatDuration(slowest)} was in time`,
            from: slowest,
            to: 60_000,
          },
        ]
  return measure(
    {
      setting: 'webhook.timeout',
      spans: [...spans, ...answered],
      evidence: (value, count) => `${count} webhooks without an answer were given up after ${value}`,
      decide: 'two webhooks that the application does not answer for a minute',
      nothing: `every attempt was answered${slowest > 0 ? `, the slowest after ${formatDuration(slowest)}` : ''}`,
    },
    claims,
  )
}

/** How late an idle sender notices that an answer is overdue. */
const promptMs = 40
/** How late a busy one may notice it at least. */
const lateMs = 250

/** What the service does after a 410: it sends nothing until the URL is set again, or it goes on. */
function goneFinding(evidence: Evidence, { claims }: Context): Finding {
  const changes = urlChanges(evidence)
  const longest = longestWait(evidence)
  const sights = evidence.webhooks.flatMap((webhook): Sight[] => {
    const index = webhook.attempts.findIndex(({ status }) => status === 410)
    const gone = webhook.attempts[index]
    if (gone === undefined) return []
    const end = changes.find((at) => at > gone.at) ?? evidence.until
    const about = { source: gone.source, unit: unitOf(webhook) }
    const next = webhook.attempts[index + 1]
    const says = (words: string, ...values: string[]): Sight[] => [
      { ...about, words, allows: (value) => values.some((one) => one === value) },
    ]
    if (next !== undefined && next.at < end) return says('another attempt came after the answer 410', 'retry')
    if (next !== undefined) return says('the next attempt came when the URL was set again', 'pause')
    if (longest === 0 || end - gone.at < 2 * longest + 60_000) return []
    if (firstAttemptsBetween(evidence, gone.at, end, webhook) > 0)
      return says('no attempt came after the answer 410, but other webhooks did', 'give-up')
    const isHeld = evidence.orders.some(
      ({ created, webhooks: [first] }) =>
        created !== null &&
        first !== undefined &&
        created.at > gone.at &&
        created.at < end - 60_000 &&
        first.attempts[0].at >= end,
    )
    return isHeld
      ? says('after the answer 410 webhooks waited until the URL was set again', 'pause')
      : says('no attempt came after the answer 410', 'pause', 'give-up')
  })
  return eliminate(
    {
      setting: 'webhook.gone',
      candidates: ['pause', 'retry', 'give-up'],
      sights,
      decide: 'two webhooks that are answered 410, an order after each, and later the URL set again',
      nothing: 'no webhook was answered 410',
    },
    claims,
  )
}

const firstAttemptsBetween = (
  { webhooks }: Evidence,
  from: number,
  to: number,
  except: SeenWebhook,
): number =>
  webhooks.filter((webhook) => {
    const [{ at }] = webhook.attempts
    return webhook !== except && at > from + 1000 && at < to
  }).length

/** Whether the service stops sending after some failures in a row. */
function disableFinding(evidence: Evidence, { claims }: Context): Finding {
  const sights = pausesOf(evidence)
  const longest = longestRun(evidence)
  const finding = eliminate(
    {
      setting: 'webhook.disableAfter',
      candidates: sights.map(({ failures }) => failures),
      isOpen: sights.length > 0,
      sights: [
        ...sights.map(({ failures, source }) => ({
          source,
          unit: `${source.file} ${source.place}`,
          words: `nothing was sent after ${failures} failed attempts in a row`,
          allows: (value: unknown) => value === failures,
        })),
        ...(longest === null || sights.length === 1
          ? []
          : [
              {
                source: longest.source,
                unit: 'longest run',
                words: `an attempt came after ${longest.failures} failed ones in a row`,
                allows: (value: unknown) =>
                  value === 'never' || (typeof value === 'number' && value > longest.failures),
              },
            ]),
      ],
      decide: 'an endpoint that fails until nothing is sent any more, twice',
      nothing: 'no pause was seen',
    },
    claims,
  )
  if (sights.length > 0) return finding
  const words =
    longest === null
      ? 'no pause was seen'
      : `${longest.failures} failed attempts in a row were no reason to stop`
  return undecided(finding, { evidence: words, decide: finding.decide })
}

interface Run {
  readonly failures: number
  readonly source: Exchange['source']
}

/** Attempts of all webhooks by time; a webhook's copies count once each. */
const attemptsOf = ({ webhooks }: Evidence): Exchange[] =>
  webhooks.flatMap(({ attempts }) => attempts).toSorted((a, b) => a.at - b.at)

/** The longest run of failed attempts that another attempt follows before the URL is set. */
function longestRun(evidence: Evidence): Run | null {
  const changes = urlChanges(evidence)
  let best: Run | null = null
  let failures = 0
  let before: Exchange | null = null
  for (const attempt of attemptsOf(evidence)) {
    const { at, source } = attempt
    const since = before?.at ?? at
    if (changes.some((change) => change >= since && change <= at)) failures = 0
    else if (failures > (best?.failures ?? 0)) best = { failures, source }
    failures = hasFailed(attempt) ? failures + 1 : 0
    before = attempt
  }
  return best
}

/** The runs of failures after which nothing was sent, although webhooks were still to be repeated and orders were
 *  created. */
function pausesOf(evidence: Evidence): Run[] {
  const changes = urlChanges(evidence)
  const attempts = attemptsOf(evidence)
  const longest = longestWait(evidence)
  const pauses: Run[] = []
  let failures = 0
  for (const [index, attempt] of attempts.entries()) {
    failures = hasFailed(attempt) ? failures + 1 : 0
    const next = attempts[index + 1]
    const set = changes.find((at) => at > attempt.at)
    const end = Math.min(next?.at ?? evidence.until, set ?? evidence.until)
    if (failures >= 2 && attempt.status !== 410 && longest > 0 && end - attempt.at > 3 * longest + 60_000) {
      const due = isPrompt(evidence)
        ? evidence.orders.filter(
            ({ created }) => created !== null && created.at > attempt.at && created.at < end - 60_000,
          )
        : []
      const isOpen = evidence.webhooks.some(
        (webhook) => webhook.attempts.at(-1) === attempt && !isGivenUp(webhook, longest, evidence),
      )
      if (due.length >= 2 || isOpen) pauses.push({ failures, source: attempt.source })
    }
    if (set !== undefined && (next === undefined || next.at > set)) failures = 0
  }
  return pauses
}

/** Whether orders usually have their first webhook soon after their creation: then one without any shows a pause. */
function isPrompt({ orders }: Evidence): boolean {
  const created = orders.filter((order) => order.created !== null)
  const prompt = created.filter(({ created, webhooks: [first] }) => {
    const wait = (first?.attempts[0].at ?? Number.POSITIVE_INFINITY) - (created?.at ?? 0)
    return wait < 60_000
  })
  return prompt.length >= 3 && prompt.length >= created.length / 2
}
