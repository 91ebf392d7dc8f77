/** Verdict of a case. An application that stops running fails whatever the level is. `NOT-SEEN`: not observable with
 *  this configuration; never counted as a pass. */
export type Verdict = 'PASS' | 'FAIL' | 'WARN' | 'NOT-SEEN'

/** How much a case matters: a failed MUST case fails the run, a failed SHOULD case warns. */
export type Level = 'MUST' | 'SHOULD'

/** `K01` to `K58`. */
export type CaseId = `K${number}`

/** Kind of error of the application. */
export type Defect =
  | 'premature'
  | 'doubled'
  | 'lost'
  | 'believed'
  | 'wrong-status'
  | 'refused'
  | 'accepted'
  | 'server-error'
  | 'crashed'
  | 'no-answer'
  | 'slow'
  | 'redirected'
  | 'endless'
  | 'impatient'
  | 'second-order'
  | 'repeated-id'
  | 'stopped'
  | 'altered'
  | 'unnoticed'
  | 'leaked'

/** Report of a run. All of it is JSON. */
export interface ConformReport {
  /** No MUST case failed, the configuration has no problems, and enough cases were observable. */
  readonly ok: boolean
  /** Fewer cases were observable than the run requires: at least one, or the percentage in `requireSeen`. */
  readonly sawTooLittle: boolean
  /** Seed that repeats the run. */
  readonly seed: string
  readonly emulator: string
  readonly clientId: string
  /** Wall time, epoch milliseconds. */
  readonly startedAt: number
  /** How long it took, milliseconds. */
  readonly ms: number
  readonly counts: Readonly<Record<Verdict, number>>
  /** Problems in the configuration. If they are found before the first case, no case runs; if a case finds one, that
   *  case is NOT-SEEN. */
  readonly problems: readonly ConfigurationProblem[]
  /** In the order in which they ran. */
  readonly cases: readonly CaseResult[]
}

/** A problem in the configuration, which the user has to fix. */
export interface ConfigurationProblem {
  /** Field of the configuration: `probe.status`. */
  readonly member: string
  /** The problem, and its solution. */
  readonly message: string
}

/** A test case in words. */
export interface Question {
  readonly id: CaseId
  readonly level: Level
  /** A few words. */
  readonly title: string
  /** The events of the case, in a sentence. */
  readonly happens: string
  /** The right behaviour, in a sentence. */
  readonly right: string
  /** Why that matters, in a line. */
  readonly why: string
}

/** Result of a case. */
export interface CaseResult extends Question {
  readonly verdict: Verdict
  /** Why the case was not observable, or a remark; null if there is none. */
  readonly note: string | null
  /** Fields of the configuration that would make the case observable: `probe.effects`. */
  readonly needs: readonly string[]
  readonly finding: ReportedFinding | null
  readonly ms: number
}

/** An error of the application, described for readers who do not know this tool. */
export interface ReportedFinding {
  readonly defect: Defect
  readonly did: string
  /** The right behaviour. */
  readonly should: string
  readonly requestId: string | null
  /** The events in order of time: neither of their two times ever decreases. Repeated lines are combined, and the
   *  middle of a very long timeline is left out. */
  readonly timeline: readonly TimelineEntry[]
  /** The last webhook to the application, byte for byte, and its answer; null if none was sent. */
  readonly sent: SentWebhook | null
  /** The command that runs only this case again. */
  readonly repeat: string
  /** A `curl` that sends the same bytes again, or opens the same page, for a POSIX shell; null if nothing was sent,
   *  or if `curl` cannot reach the application or read a body of more than 8,000 characters. */
  readonly curl: string | null
  /** Two `curl` commands that make the emulator send the webhook again, with a new timestamp and signature: the first
   *  sets the webhook URL of the run. null if no webhook was sent, or if the emulator ends with the run. */
  readonly resend: string | null
}

/** A line of the timeline. */
export interface TimelineEntry {
  /** Milliseconds of the client's clock since the case began. */
  readonly atMs: number
  /** Milliseconds of wall time since the case began; null if unknown, or if it contradicts the client's clock. */
  readonly wallMs: number | null
  /** `service`: the order moved. `webhook`: it called the application. `call`: the application called it. `conform`:
   *  this tool did or saw something. */
  readonly who: 'service' | 'webhook' | 'call' | 'conform'
  readonly what: string
}

/** A sent webhook. */
export interface SentWebhook {
  /** As the emulator names it. */
  readonly deliveryId: string
  /** Which attempt it was, from 1. */
  readonly attempt: number
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** HTTP status of the answer; null if there was none. */
  readonly status: number | null
  readonly answer: string | null
  readonly ms: number | null
  readonly error: string | null
}
