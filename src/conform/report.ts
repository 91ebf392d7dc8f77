/** What a case says. An application that stops running fails whatever the level. `NOT-SEEN`: no channel could
 *  show it; never counted as a pass. */
export type Verdict = 'PASS' | 'FAIL' | 'WARN' | 'NOT-SEEN'

/** How much it matters: what MUST be fails the run, what SHOULD be warns. */
export type Level = 'MUST' | 'SHOULD'

/** `K01` to `K40`. */
export type CaseId = `K${number}`

/** In which way an application went wrong. */
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

/** What was found out about an application. All of it is JSON. */
export interface ConformReport {
  /** Nothing failed that must not, nothing is wrong with the configuration, and enough cases could be seen. */
  readonly ok: boolean
  /** Of the cases that ran, fewer could be seen than the run requires: at least one, or as many as `requireSeen` says. */
  readonly sawTooLittle: boolean
  /** The run can be repeated with it. */
  readonly seed: string
  readonly emulator: string
  readonly clientId: string
  /** Wall time, epoch milliseconds. */
  readonly startedAt: number
  /** How long it took, milliseconds. */
  readonly ms: number
  readonly counts: Readonly<Record<Verdict, number>>
  /** What is wrong with the configuration. What was found before the first case leaves no verdicts; what a case has met
   *  makes that one NOT-SEEN. */
  readonly problems: readonly ConfigurationProblem[]
  /** In the order in which they ran. */
  readonly cases: readonly CaseResult[]
}

/** Something that only the user can mend before anything can be judged. */
export interface ConfigurationProblem {
  /** Which member of the configuration: `probe.status`. */
  readonly member: string
  /** What is wrong, and what to do. */
  readonly message: string
}

/** A question that is put to an application. */
export interface Question {
  readonly id: CaseId
  readonly level: Level
  /** A few words. */
  readonly title: string
  /** What happens, in a sentence. */
  readonly happens: string
  /** The right behaviour, in a sentence. */
  readonly right: string
  /** Why that matters, in a line. */
  readonly why: string
}

/** What came of a case. */
export interface CaseResult extends Question {
  readonly verdict: Verdict
  /** Why it was not seen, or what is left to say about it; null if nothing. */
  readonly note: string | null
  /** What of the configuration would show it, where it was not seen: `probe.effects`. */
  readonly needs: readonly string[]
  readonly finding: ToldFinding | null
  readonly ms: number
}

/** What an application did wrong, so that somebody understands it who has never seen the tool. */
export interface ToldFinding {
  readonly defect: Defect
  /** What the application did, in a sentence. */
  readonly did: string
  /** What it should have done. */
  readonly should: string
  readonly requestId: string | null
  /** What happened, in order of time; long rows of the same are one line, and of a very long one the middle is left
   *  out. */
  readonly timeline: readonly TimelineEntry[]
  /** What was sent to the application last, byte for byte, and what came back; null if nothing was sent. */
  readonly sent: SentWebhook | null
  /** The command that runs just this case again. */
  readonly repeat: string
  /** A `curl` that sends the same bytes again, or opens the same page, for a POSIX shell; null if none were sent, or if
   *  no `curl` reaches the application, or gets at a body of more than 8,000 characters. */
  readonly curl: string | null
  /** Two `curl` that have the emulator send the webhook once more, with a timestamp and a signature of that moment: the
   *  first gives the client the webhook URL of the run. null if none was sent, or if the emulator cannot be asked after
   *  the run. */
  readonly resend: string | null
}

/** A line of what happened. */
export interface TimelineEntry {
  /** Milliseconds of the client's clock since the case began. */
  readonly atMs: number
  /** Milliseconds of wall time since the case began; null where only the client's clock is known. */
  readonly wallMs: number | null
  /** `service`: the order moved. `webhook`: it called the application. `call`: the application called it. `conform`:
   *  this tool did or saw something. */
  readonly who: 'service' | 'webhook' | 'call' | 'conform'
  readonly what: string
}

/** A webhook as it was sent. */
export interface SentWebhook {
  /** As the emulator names it. */
  readonly deliveryId: string
  /** Which attempt it was, from 1. */
  readonly attempt: number
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** What came back; null if nothing did. */
  readonly status: number | null
  readonly answer: string | null
  readonly ms: number | null
  readonly error: string | null
}
