import { oneLine } from '../../domain/one-line.ts'
import { toldIn } from '../../webhooks/told.ts'
import { painter } from '../log/paint.ts'
import { timeOf } from '../log/pretty-line.ts'

/** A webhook that came in, and what was done with it. */
export interface Received {
  /** Wall time of its arrival. */
  readonly at: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  /** Null: the signature is right. */
  readonly signatureProblem: string | null
  /** The HTTP status it was answered with. */
  readonly answered: number
  /** How forwarding went; null without `--forward`. */
  readonly forwarded: { readonly url: string; readonly error: string | null } | null
}

/** A received webhook as one line for people. */
export function receivedLine(received: Received, colours = false): string {
  const paint = painter(colours)
  const { at, signatureProblem, answered, forwarded } = received
  const { orderStatus, errorCode, requestId } = toldIn(received.body)
  const sentAt = sentAtOf(received)
  const event = oneLine(
    [orderStatus ?? 'webhook', errorCode].filter((word) => word !== undefined).join(' '),
    120,
  )
  const signature = paint(
    signatureProblem === null ? 'green' : 'red',
    `signature ${oneLine(signatureProblem ?? 'ok', 500)}`,
  )
  const sent = sentAt === null ? '' : `, sent at ${sentAt}`
  const whose = oneLine(requestId ?? '(no requestId)', 120)
  return `${paint('dim', timeOf(at))} ${paint('bold', event)} ${whose} ${signature}${sent}${oneLine(outcome(answered, forwarded))}`
}

/** A received webhook as one JSON object. */
export function receivedRecord(received: Received): Readonly<Record<string, unknown>> {
  const { at, headers, signatureProblem, answered, forwarded } = received
  const { orderStatus, errorCode, requestId } = toldIn(received.body)
  return {
    event: 'webhook',
    time: new Date(at).toISOString(),
    orderStatus,
    errorCode,
    requestId,
    signature: signatureProblem ?? 'ok',
    webhookId: headers['webhook-id'],
    sentAt: sentAtOf(received) ?? undefined,
    answered,
    ...(forwarded === null ? {} : { forwarded }),
    body: received.body,
  }
}

function outcome(answered: number, forwarded: Received['forwarded']): string {
  if (forwarded === null) return answered === 200 ? '' : `, answered ${answered}`
  const { url, error } = forwarded
  return error === null ? ` -> ${url} ${answered}` : ` -> ${url} ${error}, answered ${answered}`
}

/** When this attempt was signed. */
function sentAtOf({ headers }: Received): string | null {
  const seconds = Number(headers['webhook-timestamp'])
  const isMoment = Number.isSafeInteger(seconds) && seconds > 0 && seconds < 1e11
  return isMoment ? new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z') : null
}
