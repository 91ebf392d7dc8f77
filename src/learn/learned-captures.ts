import type { LearnReport } from './report/report.ts'

/** Options of `learn`, `drift` and `learnStory`. */
export interface LearnOptions {
  /** The API secret, to find out which text the application signs. It is used for nothing else. */
  readonly apiSecret?: string | undefined
  /** The webhook secret, to find out how webhooks are signed. */
  readonly webhookSecret?: string | undefined
  /** Reads the traffic of one account only. */
  readonly clientId?: string | undefined
}

/** What `learn` found, in all forms in which it is used. */
export interface LearnedCaptures {
  readonly report: LearnReport
  /** The known settings, as `startEmulator` takes them. */
  readonly settings: Readonly<Record<string, unknown>>
  /** The settings file, as `--settings` takes it. */
  readonly yaml: string
}
