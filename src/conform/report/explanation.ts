import { spanText } from '../../domain/explain/explain-text.ts'
import { exactUrl, headerOption, isPlain, printed, shellQuoted } from '../../domain/text/shell.ts'
import type { WebhookSignature } from '../config/config.ts'
import type { CaseResult, ReportedFinding, SentWebhook, TimelineEntry, Verdict } from '../report.ts'
import { plainLine, plainLines } from './lines.ts'

/** The request headers that curl sets by itself. */
const ofTheConnection: readonly string[] = ['host', 'content-length', 'connection', 'transfer-encoding']

/** Builds a `curl` for a POSIX shell that sends the same bytes again. It reads a body that is too long to paste from
 *  the emulator.
 *  @param emulator its base URL; null if it has ended, so that a long body has no command */
export function sentAgain(
  { url, headers, body, deliveryId, attempt }: SentWebhook,
  emulator: string | null,
): string | null {
  const named = Object.entries(headers).filter(([name]) => !ofTheConnection.includes(name.toLowerCase()))
  const names = named.map(([name]) => name.toLowerCase())
  const options = [
    `curl -i -X POST ${exactUrl(url)}`,
    ...named.map(([name, value]) => headerOption(name, value)),
    // Removes headers that curl would add by itself.
    ...['accept', 'content-type'].filter((name) => !names.includes(name)).map((name) => `-H '${name}:'`),
  ]
  if (isTooLongToPaste(body)) {
    if (emulator === null) return null
    return `${bodySource(emulator, deliveryId, attempt)} |\n${joined([...options, '--data-binary @-'])}`
  }
  // `--data-binary` reads a file if its text begins with @.
  return isPlain(body)
    ? joined([...options, `--data-raw ${shellQuoted(body)}`])
    : `${printed(body)} |\n${joined([...options, '--data-binary @-'])}`
}

/** Builds commands that make the emulator send a webhook again with a new signature. After a run the client has its
 *  own webhook URL and settings again, so the first command sets them. */
export function resentBy(
  emulator: string,
  { url, deliveryId }: SentWebhook,
  { clientId, webhookSignature }: { clientId: string; webhookSignature: WebhookSignature },
): string {
  const isReady = webhookSignature === 'standard' || webhookSignature === 'hmac-body'
  const settings = isReady ? { settings: { 'webhook.auth': webhookSignature } } : {}
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

/** Whether a body is too long for a command: shells limit the length of a word. */
const isTooLongToPaste = (body: string): boolean => body.length > 8_000

const joined = (options: readonly string[]): string => options.join(' \\\n  ')

function bodySource(emulator: string, deliveryId: string, attempt: number): string {
  const url = `${emulator}/_emulator/deliveries/${encodeURIComponent(deliveryId)}`
  return `curl -s ${exactUrl(url)} | jq -j ${shellQuoted(`.attempts[${attempt - 1}].bodyText // .bodyText`)}`
}

/** All texts about a finding, in sections that each report format lays out. They contain no control characters. */
export interface Explanation {
  readonly verdict: Verdict
  readonly headline: string
  /** The events of the case, the error of the application, the right behaviour, and why it matters. */
  readonly facts: readonly (readonly [label: string, words: string])[]
  /** The name of the order that the timeline is about. */
  readonly whose: string
  readonly timeline: readonly TimelineRow[]
  readonly sent: Shown | null
  readonly answer: Shown | null
  readonly commands: readonly Command[]
}

export interface TimelineRow {
  /** Time on the client's clock since the case began: `+10s`. */
  readonly clock: string
  /** Wall-clock time since the case began: `0.052`; empty if unknown. */
  readonly wall: string
  readonly who: string
  readonly what: string
}

/** The bytes of a webhook or call, prepared for display. */
export interface Shown {
  readonly label: string
  readonly headline: string
  readonly headers: readonly string[]
  readonly body: readonly string[]
  /** A hint whether the body is empty or shortened. */
  readonly hint: string
}

interface Command {
  readonly label: string
  readonly command: string
}

/** Builds the explanation of a finding.
 *  @param mostCharacters of a body */
export function explanationOf(
  { id, verdict, level, title, happens, why }: CaseResult,
  finding: ReportedFinding,
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

function commandsOf({ sent, curl, resend, repeat }: ReportedFinding): Command[] {
  return [
    ...(curl === null
      ? []
      : [{ label: sent === null ? 'Repeat this call' : `${sameBytes}${hintsOn(sent)}`, command: curl }]),
    ...(resend === null ? [] : [{ label: newSignature, command: resend }]),
    { label: 'Run only this case again', command: repeat },
  ]
}

const sameBytes = 'Send the same bytes again'
const newSignature = 'Send it again with a new signature'

/** Builds the hints for sending just this webhook again, in parentheses. */
function hintsOn(sent: SentWebhook): string {
  const signedAt = signedMoment(sent)
  const hints = [
    ...(signedAt === null ? [] : [`signed for ${signedAt}`]),
    ...(isTooLongToPaste(sent.body) ? ['reads the body from the emulator'] : []),
  ]
  return hints.length === 0 ? '' : ` (${hints.join('; ')})`
}

/** Explains the commands of several findings: a report says this once, not with each finding.
 *  @returns sentences, each about one label; empty if no finding has these commands */
export function commandHints(findings: readonly ReportedFinding[]): Explained[] {
  const again = findings.filter(({ sent, curl }) => sent !== null && curl !== null)
  const canResend = findings.some(({ resend }) => resend !== null)
  const isSigned = again.some(({ sent }) => sent !== null && signedMoment(sent) !== null)
  const isLong = again.some(({ sent }) => sent !== null && isTooLongToPaste(sent.body))
  const later = canResend ? '; after that, send it with a new one' : ''
  const bytes = [
    // If the emulator ends with the run, the application usually does too.
    ...(canResend ? ['Start your application first.'] : []),
    ...(isSigned ? [`The signature is valid for ${signatureMinutes} minutes${later}.`] : []),
    ...(isLong ? ['A command that reads the body from the emulator works while that runs.'] : []),
  ]
  return [
    ...(again.length === 0 || bytes.length === 0 ? [] : [{ label: sameBytes, words: bytes.join(' ') }]),
    ...(canResend ? [{ label: newSignature, words: resendHint }] : []),
  ]
}

const resendHint =
  'The first command sets the webhook URL of the client to that of this run; the second makes the emulator send the webhook.'

/** A label of a command, with its explanation. */
interface Explained {
  readonly label: string
  readonly words: string
}

/** The headline over the explanations of commands. */
export const commandHintsTitle = 'How to send a webhook again'

/** How long the signature of a webhook is valid, in minutes. */
const signatureMinutes = 5

function signedMoment({ headers }: SentWebhook): string | null {
  const named = Object.entries(headers).find(([name]) => name.toLowerCase() === 'webhook-timestamp')
  const signedAt = new Date(Number(named?.[1]) * 1_000)
  return Number.isNaN(signedAt.getTime()) ? null : `${signedAt.toISOString().slice(0, 19)}Z`
}
