import { spanText } from '../../domain/explain/explain-text.ts'
import { exactUrl, headerOption, isPlain, printed, shellQuoted } from '../../domain/text/shell.ts'
import type { WebhookSignature } from '../config/config.ts'
import type { CaseResult, SentWebhook, TimelineEntry, ToldFinding, Verdict } from '../report.ts'
import { plainLine, plainLines } from './lines.ts'

/** curl makes these itself. */
const ofTheConnection: readonly string[] = ['host', 'content-length', 'connection', 'transfer-encoding']

/** A `curl` for a POSIX shell that sends a webhook again, byte for byte. A body too long to be pasted is asked of the
 *  emulator.
 *  @param emulator its base URL; null if it cannot be asked any more, so that a long body has no command */
export function sentAgain(
  { url, headers, body, deliveryId, attempt }: SentWebhook,
  emulator: string | null,
): string | null {
  const named = Object.entries(headers).filter(([name]) => !ofTheConnection.includes(name.toLowerCase()))
  const names = named.map(([name]) => name.toLowerCase())
  const options = [
    `curl -i -X POST ${exactUrl(url)}`,
    ...named.map(([name, value]) => headerOption(name, value)),
    // Without these, curl would add some of its own.
    ...['accept', 'content-type'].filter((name) => !names.includes(name)).map((name) => `-H '${name}:'`),
  ]
  if (isTooLongToPaste(body)) {
    if (emulator === null) return null
    return `${bodySource(emulator, deliveryId, attempt)} |\n${joined([...options, '--data-binary @-'])}`
  }
  // Of --data-binary, a text that begins with @ would be the name of a file.
  return isPlain(body)
    ? joined([...options, `--data-raw ${shellQuoted(body)}`])
    : `${printed(body)} |\n${joined([...options, '--data-binary @-'])}`
}

/** A command that has the emulator send a webhook once more, signed anew. After a run the client has its own webhook URL
 *  again, or none, and its own settings, so the command says them first. */
export function resentBy(
  emulator: string,
  { url, deliveryId }: SentWebhook,
  { clientId, webhookSignature }: { clientId: string; webhookSignature: WebhookSignature },
): string {
  const settings = webhookSignature === 'none' ? {} : { settings: { 'webhook.auth': webhookSignature } }
  const body = JSON.stringify({ webhookUrl: url, ...settings })
  return [
    joined([
      `curl -sSf -o /dev/null -X PATCH ${exactUrl(`${emulator}/_emulator/clients/${encodeURIComponent(clientId)}`)}`,
      headerOption('content-type', 'application/json'),
      `--data-raw ${shellQuoted(body)} &&`,
    ]),
    `curl -sS -X POST ${exactUrl(`${emulator}/_emulator/deliveries/${encodeURIComponent(deliveryId)}/resend`)}`,
  ].join('\n')
}

/** Whether a body is longer than anybody wants to paste; much longer ones no shell takes as one word of a command. */
const isTooLongToPaste = (body: string): boolean => body.length > 8_000

const joined = (options: readonly string[]): string => options.join(' \\\n  ')

function bodySource(emulator: string, deliveryId: string, attempt: number): string {
  const url = `${emulator}/_emulator/deliveries/${encodeURIComponent(deliveryId)}`
  return `curl -s ${exactUrl(url)} | jq -j ${shellQuoted(`.attempts[${attempt - 1}].bodyText // .bodyText`)}`
}

/** All that is told of a finding, in the words of a page; every form of the report lays it out in its own way. Nothing
 *  in it is unseen or steers a terminal. */
export interface Explanation {
  readonly verdict: Verdict
  readonly headline: string
  /** What happens in the case, what was done, what should have been, why it matters. */
  readonly facts: readonly (readonly [label: string, words: string])[]
  /** Whose time line it is. */
  readonly whose: string
  readonly timeline: readonly TimelineRow[]
  readonly sent: Shown | null
  readonly answer: Shown | null
  readonly commands: readonly Command[]
}

/** A line of the timeline. */
export interface TimelineRow {
  /** On the client's clock since the case began: `+10s`. */
  readonly clock: string
  /** On the wall since the case began: `0.052`; empty where nobody knows. */
  readonly wall: string
  readonly who: string
  readonly what: string
}

/** What went over the wire. */
export interface Shown {
  readonly label: string
  readonly headline: string
  readonly headers: readonly string[]
  readonly body: readonly string[]
  /** What is to be said of the body: that it is empty, or cut. */
  readonly hint: string
}

/** Something to be pasted into a shell. */
interface Command {
  readonly label: string
  readonly command: string
}

/** Tells a finding. @param mostCharacters of a body */
export function explanationOf(
  { id, verdict, level, title, happens, why }: CaseResult,
  finding: ToldFinding,
  mostCharacters: number,
): Explanation {
  const { defect, did, should, requestId, timeline, sent } = finding
  return {
    verdict,
    headline: `${id} ${verdict}: ${title} (${level}, ${defect})`,
    facts: [
      ['What happens', plainLine(happens)],
      ['It did', plainLine(did)],
      ['It should', plainLine(should)],
      ['Why it matters', plainLine(why)],
    ],
    whose: requestId === null ? 'What happened' : `Timeline of the order ${plainLine(requestId)}`,
    timeline: timeline.map(rowOf),
    sent: sent === null ? null : sentOf(sent, mostCharacters),
    answer: sent === null ? null : answerOf(sent, mostCharacters),
    commands: commandsOf(finding),
  }
}

const whoWords = {
  service: 'service',
  webhook: 'webhook',
  call: 'application',
  conform: 'conform',
} as const

const rowOf = ({ atMs, wallMs, who, what }: TimelineEntry): TimelineRow => ({
  clock: spanText(atMs),
  wall: wallMs === null ? '' : (wallMs / 1_000).toFixed(3),
  who: whoWords[who],
  what: plainLine(what),
})

function sentOf({ url, headers, body, attempt }: SentWebhook, mostCharacters: number): Shown {
  return {
    label: attempt === 1 ? 'What was sent' : `What was sent, at attempt ${attempt}`,
    headline: `POST ${plainLine(url)}`,
    headers: Object.entries(headers).map(([name, value]) => plainLine(`${name}: ${value}`)),
    ...bodyOf(body, mostCharacters),
  }
}

function answerOf({ status, answer, ms, error }: SentWebhook, mostCharacters: number): Shown {
  const after = ms === null ? '' : ` after ${ms} ms`
  const why = error === null ? '' : `: ${plainLine(error)}`
  return {
    label: 'The answer',
    headline: status === null ? `nothing${after}${why}` : `${status}${after}${why}`,
    headers: [],
    ...(status === null ? { body: [], hint: '' } : bodyOf(answer ?? '', mostCharacters)),
  }
}

function bodyOf(text: string, mostCharacters: number): { body: readonly string[]; hint: string } {
  if (text === '') return { body: [], hint: 'no body' }
  const body = plainLines(text.slice(0, mostCharacters))
  if (text.length > mostCharacters) return { body, hint: cutWords(text.length, mostCharacters) }
  return { body, hint: '' }
}

const cutWords = (length: number, shown: number): string =>
  `the first ${shown.toLocaleString('en')} of ${length.toLocaleString('en')} characters; the JSON report has all of them`

function commandsOf({ sent, curl, resend, repeat }: ToldFinding): Command[] {
  return [
    ...(curl === null
      ? []
      : [
          {
            label: sent === null ? 'Repeat this call' : `Send the same bytes again${hintsOn(sent, resend)}`,
            command: curl,
          },
        ]),
    ...(resend === null
      ? []
      : [
          {
            label: 'Let the emulator send it again with a new signature, to this webhookUrl',
            command: resend,
          },
        ]),
    { label: 'Run only this case again', command: repeat },
  ]
}

/** What somebody should know who sends a webhook again, in parentheses. */
function hintsOn(sent: SentWebhook | null, resend: string | null): string {
  if (sent === null) return ''
  const signedAt = signedMoment(sent)
  const hints = [
    // Where the emulator does not outlive the run, the application rarely does.
    ...(resend === null ? ['start your application first'] : []),
    ...(isTooLongToPaste(sent.body) ? ['reads the body from the emulator, while that runs'] : []),
    ...(signedAt === null
      ? []
      : [`signed for ${signedAt}: the signature is valid for ${signatureMinutes} minutes`]),
  ]
  return hints.length === 0 ? '' : ` (${hints.join('; ')})`
}

/** A signature is good for so long. */
const signatureMinutes = 5

function signedMoment({ headers }: SentWebhook): string | null {
  const named = Object.entries(headers).find(([name]) => name.toLowerCase() === 'webhook-timestamp')
  const signedAt = new Date(Number(named?.[1]) * 1_000)
  return Number.isNaN(signedAt.getTime()) ? null : `${signedAt.toISOString().slice(0, 19)}Z`
}
