import { differences } from '../../domain/text/where.ts'
import { overrideOf } from '../../domain/webhook/faults/attempt-faults.ts'
import type { ClientStatus, Delivery } from '../shapes.ts'
import type { TestClient } from '../test-client.ts'
import type { ReceivedWebhook } from './received-webhook.ts'
import { given, type InboxWhere, membersOf } from './selection.ts'

/** The webhook URLs of clients before inboxes replaced them. Inboxes of one client may close in any order: restoring
 *  the URL of a closed inbox restores the one that it had replaced. */
export class UrlsBefore {
  readonly #before = new Map<string, string | null>()

  keep(inboxUrl: string, before: string | null): void {
    this.#before.set(hostOf(inboxUrl), before)
  }

  /** Returns the URL to restore when an inbox closes, and forgets the inbox. */
  take(inboxUrl: string): string | null {
    const before = this.#before.get(hostOf(inboxUrl)) ?? null
    this.#before.delete(hostOf(inboxUrl))
    for (const [host, its] of this.#before) {
      if (its !== null && hostOf(its) === hostOf(inboxUrl)) this.#before.set(host, before)
    }
    return before
  }
}

/** Whether a URL leads to an inbox. Only the host counts: an inbox accepts every POST, and a scenario may add a
 *  query. */
export const isBelow = (inboxUrl: string, url: string | null): boolean =>
  url !== null && hostOf(url) === hostOf(inboxUrl)

const hostOf = (url: string): string => new URL(url).host

/** Maximum number of webhooks or deliveries that a message lists. */
const mostLines = 10

/** Lists the webhooks that have arrived, with their differences from the expected one. */
export function foreignWebhooks(
  webhooks: readonly ReceivedWebhook[],
  where: InboxWhere,
  taken: ReadonlySet<ReceivedWebhook>,
): string[] {
  if (webhooks.length === 0) return ['No webhook has arrived.']
  const lines = webhooks.slice(-mostLines).map((webhook) => {
    const differs = differencesOf(webhook, where)
    const why = differs.length === 0 && taken.has(webhook) ? ['already taken'] : differs
    return `  ${webhookLine(webhook)}${why.length === 0 ? '' : `: ${why.join(', ')}`}`
  })
  const older = webhooks.length - lines.length
  return [`Webhooks that have arrived${older > 0 ? ` (${older} older ones omitted)` : ''}:`, ...lines]
}

/** Describes a webhook in one line. */
export function webhookLine({ event, signature, attempt, answered, text }: ReceivedWebhook): string {
  const what = event.orderStatus === '' ? JSON.stringify(text.slice(0, 80)) : event.orderStatus
  const again = attempt === 1 ? '' : `, attempt ${attempt}`
  return `${what} of ${event.requestId || '(no requestId)'}${again}, signature ${signature}, ${answered === null ? 'not answered' : `answered ${answered}`}`
}

function differencesOf(webhook: ReceivedWebhook, where: InboxWhere): string[] {
  if (typeof where === 'function') return []
  return differences(given(where), membersOf(webhook)).map(
    ({ member, wanted, found }) => `${member} is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`,
  )
}

/** Explains why no further webhooks arrived, as far as the emulator knows.
 *  @param inbox the URL of the inbox, and whether no webhook has ever arrived there */
export async function reasons(
  client: TestClient,
  inbox: { readonly url: string; readonly isEmpty: boolean },
): Promise<string[]> {
  try {
    const [status, deliveries] = await Promise.all([client.status(), client.deliveries.list()])
    const [own] = status.clients
    const { webhookPaused, pausedAfter } = await client.read()
    const pausedBy =
      pausedAfter === undefined
        ? 'An answer of 410'
        : `The number of failed attempts in a row (${pausedAfter})`
    return [
      ...urlReasons(own, inbox.url),
      ...(webhookPaused
        ? [`${pausedBy} has paused its deliveries; set the webhook URL again to resume.`]
        : []),
      ...deliveryReasons(deliveries, inbox),
      ...(own === undefined ? [] : [timeReason(own)]),
    ]
  } catch (error) {
    return [`The emulator did not answer the question why: ${error instanceof Error ? error.message : error}`]
  }
}

const urlReasons = (status: ClientStatus | undefined, url: string): string[] =>
  status === undefined || isBelow(url, status.webhookUrl)
    ? []
    : [`The client's webhook URL is now ${status.webhookUrl ?? 'not set'}, and not this inbox, ${url}.`]

function deliveryReasons(
  deliveries: readonly Delivery[],
  { url, isEmpty }: { url: string; isEmpty: boolean },
): string[] {
  const held = deliveries.filter(({ status }) => status === 'held').length
  const skipped = deliveries.filter(({ status }) => status === 'skipped').length
  const waiting = deliveries.filter(({ waitsFor }) => waitsFor !== undefined)
  const failed = deliveries.filter((delivery) => failureOf(delivery) !== null)
  const unreached = failed.some(({ attempts }) => noWay.test(attempts.at(-1)?.error ?? ''))
  return [
    ...(deliveries.length === 0 ? ['The emulator has created no webhook for this client yet.'] : []),
    ...(held > 0 ? [`${held} held: client.deliveries.release() sends them.`] : []),
    ...(skipped > 0 ? [skippedReason(skipped)] : []),
    ...waiting.slice(0, mostLines).map(waitingReason),
    ...(failed.length > 0 ? ['Failed deliveries:'] : []),
    ...failed.slice(-mostLines).map((delivery) => `  ${failureOf(delivery)}`),
    ...(isEmpty && unreached ? [hostReason(url)] : []),
  ]
}

const waitingReason = ({ orderStatus, requestId, waitsFor }: Delivery): string =>
  `${orderStatus} of ${requestId} waits for the older delivery ${waitsFor} (webhook.order: strict).`

const skippedReason = (count: number): string =>
  `${count} ${count === 1 ? 'was' : 'were'} skipped, because the client had no webhook URL when ${count === 1 ? 'it was' : 'they were'} due: open the inbox first, or call client.deliveries.resend(id).`

/** Error codes of an unreachable host. Other broken connections come from faults or forbidden addresses. */
const noWay = /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN/

/** Describes how a delivery's latest attempt failed; null if it did not fail. */
function failureOf({ orderStatus, requestId, status, attempts, plan }: Delivery): string | null {
  const last = attempts.at(-1)
  if (last === undefined || last.outcome === 'accepted') return null
  const { n, outcome, error, url } = last
  const how = last.status === null ? `${outcome}: ${error ?? 'no answer yet'}` : `answered ${last.status}`
  const ended = overrideOf(plan, last) ?? how
  return `${orderStatus} of ${requestId}, ${status}, attempt ${n} to ${url}: ${ended}`
}

function hostReason(url: string): string {
  const reached = `The emulator cannot reach this inbox at ${url}.`
  return /^https?:\/\/(127\.|localhost|\[::1\])/.test(url)
    ? `${reached} If it runs in a container, pass the name of this machine there: webhookInbox(client, { host: 'host.docker.internal' }).`
    : `${reached} Check that this is the name of this machine where the emulator runs.`
}

function timeReason({ clock: { mode, now, speed }, nextDueAt }: ClientStatus): string {
  const stands = mode === 'manual' || speed === 0
  const clock = `The client's clock ${stands ? 'is stopped at' : 'runs and shows'} ${moment(now)}`
  if (nextDueAt === null) return `${clock}; nothing is scheduled.`
  if (nextDueAt <= now) return `${clock}; an event is due now.`
  return `${clock}; the next event is due at ${moment(nextDueAt)}${stands ? ' (call client.clock.advanceToNext())' : ''}.`
}

const moment = (at: number): string => new Date(at).toISOString()
