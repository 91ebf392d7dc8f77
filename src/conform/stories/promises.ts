import type { JournalEntry } from '../../index.ts'
import type { Seen } from '../application/application.ts'
import { at, jsonIn } from '../application/json-pointer.ts'
import { isCreate } from '../evidence/service-calls.ts'
import type { Leak } from '../stage/case-context.ts'
import { endsPaid, mayGiveUp, type Story } from './story.ts'

/** What a story has shown of its order, once everything had its time. */
export interface Evidence {
  readonly story: Story
  /** The order as the application shows it; null if it has never created one. */
  readonly seen: Seen | null
  /** What it showed just before the order was paid; null if nothing had happened to the order until then. */
  readonly before: Seen | null
  /** The application's calls since the story began, of all orders, oldest first. */
  readonly calls: readonly JournalEntry[]
  /** Whether none of these calls is missing, because the request log was too small for them. */
  readonly knowsAllCalls: boolean
  readonly requestId: string
  /** A text that is in all calls which the application makes for this customer, if it passes on what it was given. */
  readonly unique: string
  /** The amount that was asked for; null if the start call takes none. */
  readonly amount: string | null
  /** Answers to genuine webhooks of the order that were never 2xx, in words. */
  readonly refused: readonly string[]
  readonly leaks: readonly Leak[]
  /** Acts to which the application has given no answer, long after it should have. */
  readonly unanswered: readonly string[]
  /** Whether the application still accepts connections. */
  readonly answers: boolean
}

/** A rule that every payment integration has to keep, whatever happens. */
interface Rule {
  readonly id: string
  /** What the application did if it breaks the rule, in two or three words. */
  readonly title: string
  readonly should: string
  readonly why: string
  /** Returns what the application did, in a few words; null if it has kept the rule. */
  readonly broken: (evidence: Evidence) => string | null
}

const saysCompleted = /"orderStatus":\s*"COMPLETED"/

/** The end of an answer that the request log has cut: what came after it is not known. */
const cutOff = /… \(\d+ characters in all\)$/

/** Whether a lookup has told the application that the order is COMPLETED, or may have. */
const wasTold = ({ calls, requestId }: Evidence): boolean =>
  calls.some(
    ({ operation, response }) =>
      (operation === 'orders' || operation === 'crypto-orders') &&
      (cutOff.test(response) || (response.includes(requestId) && saysCompleted.test(response))),
  )

const effectsOf = ({ seen }: Evidence): number => seen?.effects ?? 0

const isPaid = ({ story }: Evidence): boolean => story.flat().includes('pay')

const releases = (count: number): string => `released ${count}`

/** Whether the application shows an order that it had given up as something else than before. */
const isVisible = ({ seen, before }: Pick<Evidence, 'seen' | 'before'>): boolean =>
  seen !== null && seen.word !== before?.word && !['CREATED', 'unknown'].includes(seen.state)

/** Whether an order is paid and not released yet. An order that the application had given up may be shown as paid
 *  instead. */
export function isOwed(evidence: Pick<Evidence, 'story' | 'seen' | 'before'>): boolean {
  const { story, seen } = evidence
  if (!endsPaid(story) || (seen?.effects ?? 0) > 0) return false
  return !(mayGiveUp(story) && isVisible(evidence))
}

function wrongCreate({ calls, requestId, unique, amount }: Evidence): string | null {
  const creates = calls.filter(
    (call) => isCreate(call) && (call.requestId === requestId || call.body.includes(unique)),
  )
  const unsigned = creates.find(({ diagnosis }) => diagnosis?.cause.startsWith('signature.'))
  if (unsigned !== undefined) return `its create call was refused: ${unsigned.diagnosis?.message}`
  if (amount === null) return null
  const sent = creates
    .map(({ body }) => at(jsonIn(body), '/fiatAmount'))
    .find((sum) => Number(sum) !== Number(amount))
  return sent === undefined
    ? null
    : `its create call had the amount ${JSON.stringify(sent)}, and ${amount} was asked for`
}

const all = [
  {
    id: 'released-once',
    title: 'released twice',
    should: 'Release at most once for each paid charge.',
    why: 'Every release beyond the first is goods that nobody paid for.',
    broken: (evidence) => {
      const most = isPaid(evidence) ? 1 : 0
      const effects = effectsOf(evidence)
      return most > 0 && effects > most ? `${releases(effects)}, paid ${most}` : null
    },
  },
  {
    id: 'nothing-for-failures',
    title: 'released without a payment',
    should: 'Release nothing for an order that was never paid.',
    why: 'The customer has the goods, and no money came.',
    broken: (evidence) => {
      const early = evidence.before?.effects ?? 0
      if (isPaid(evidence)) return early > 0 ? `${releases(early)} before it was paid` : null
      return effectsOf(evidence) > 0 ? `${releases(effectsOf(evidence))}, paid 0` : null
    },
  },
  {
    id: 'released-if-told',
    title: 'released before a lookup said COMPLETED',
    should: 'Release only once a lookup has said COMPLETED.',
    why: 'Webhooks and browsers can be forged or early; only the lookup says what is true.',
    broken: (evidence) =>
      isPaid(evidence) && effectsOf(evidence) > 0 && evidence.knowsAllCalls && !wasTold(evidence)
        ? `${releases(effectsOf(evidence))}, and no lookup had said COMPLETED`
        : null,
  },
  {
    id: 'released-in-the-end',
    title: 'never released',
    should: 'Release in the end what is COMPLETED, by a webhook, its retries, polling or `reconcile`.',
    why: 'The customer has paid and gets nothing.',
    broken: (evidence) => {
      const { seen } = evidence
      if (!isOwed(evidence)) return null
      const said =
        seen === null || seen.state === 'unknown'
          ? 'it does not know the order'
          : `it says ${JSON.stringify(seen.word)}`
      return `released 0, paid 1; ${said}`
    },
  },
  {
    id: 'webhooks-answered',
    title: 'webhook never accepted',
    should: 'Answer a genuine webhook with 2xx in the end.',
    why: 'The service gives up, and may stop sending to your URL.',
    broken: ({ refused }) => (refused.length === 0 ? null : refused.join('; ')),
  },
  {
    id: 'keeps-answering',
    title: 'stopped answering',
    should: 'Keep running and answering, whatever happens.',
    why: 'Every other customer waits too.',
    broken: ({ answers, unanswered }) => {
      if (!answers) return 'it accepts no connections any more'
      return unanswered.length === 0 ? null : `it gave no answer to: ${unanswered.join(', ')}`
    },
  },
  {
    id: 'creates-rightly',
    title: 'wrong create call',
    should: 'Sign each create call rightly, and ask for the amount that the customer was shown.',
    why: 'The service refuses the order, or the customer pays another sum.',
    broken: wrongCreate,
  },
  {
    id: 'keeps-secrets',
    title: 'secret sent',
    should: 'Send no secret in a body or a query.',
    why: 'Bodies and URLs are written into logs.',
    broken: ({ leaks }) => {
      const [first] = leaks
      return first === undefined ? null : `${first.secret} is in ${first.where}`
    },
  },
] as const satisfies readonly Rule[]

export type PromiseId = (typeof all)[number]['id']

/** The rules by which stories are judged, in the order in which they are reported. */
export const promises: readonly (Rule & { readonly id: PromiseId })[] = all

export const promiseNamed = (id: PromiseId) => {
  const found = promises.find((promise) => promise.id === id)
  if (found === undefined) throw new RangeError(`There is no promise ${id}`)
  return found
}

/** A broken rule. */
export interface Violation {
  readonly promise: PromiseId
  readonly did: string
}

/** Rules that a later look can show as broken, because releases only grow. What else had happened until then is not
 *  known. */
export const aboutReleases: readonly PromiseId[] = ['released-once', 'nothing-for-failures']

/** The first rule that a story has broken; null if it has kept all.
 *  @param among the rules by which it is judged */
export function violationIn(
  evidence: Evidence,
  among: readonly PromiseId[] = promises.map(({ id }) => id),
): Violation | null {
  for (const { id, broken } of promises) {
    if (!among.includes(id)) continue
    const did = broken(evidence)
    if (did !== null) return { promise: id, did }
  }
  return null
}
