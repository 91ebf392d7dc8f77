import type { SettingName } from '../../domain/choices/settings.ts'
import type { Source } from '../traffic/exchange.ts'

/** A value that an observation ruled out. */
export interface Excluded {
  /** As a settings file writes it. */
  readonly value: unknown
  readonly by: Source
  /** The observation in words, such as `answered 400, not 422`. */
  readonly words: string
}

/** How certain a value is: `known`: one is left, and at least two independent observations ruled out the others;
 *  `likely`: one is left, after a single observation; `unknown`: nothing was seen, or several are left;
 *  `contradictory`: every value contradicts some observation. */
export type FindingState = 'known' | 'likely' | 'unknown' | 'contradictory'

/** What the traffic says about one setting. */
export interface Finding {
  readonly setting: SettingName
  readonly state: FindingState
  /** The value that is left, as a settings file writes it; undefined unless known or likely. */
  readonly value?: unknown
  /** The number of independent observations that tell values apart. */
  readonly observations: number
  /** What was seen, or why nothing can be said, in one sentence without a full stop. */
  readonly evidence: string
  /** The values that fell away, each with the first observation that contradicts it. */
  readonly excluded: readonly Excluded[]
  /** The values that are left of several, as a settings file writes them. */
  readonly left: readonly unknown[]
  /** The cheapest observation that would decide; null if the value is known. */
  readonly decide: string | null
  /** What the traffic says about the value that the caller claimed (see `Claims`); left out without a claim. */
  readonly claim?: { readonly holds: true } | ({ readonly holds: false; readonly times: number } & Excluded)
}

/** Values that somebody says are right, by setting, as a settings file writes them: `drift` checks them. A rule tests
 *  a claimed value beside its own candidates. */
export type Claims = ReadonlyMap<SettingName, unknown>

/** Something in the traffic that no setting can express. */
export interface Unexplained {
  /** What it is, the same in every capture: `field riskScore in webhooks`. */
  readonly what: string
  readonly count: number
  /** How many observations could have had it; null if that is not counted. */
  readonly of: number | null
  /** One example, still unmasked: `Masker` treats everything that leaves `learn`. */
  readonly example: string
  readonly source: Source
  /** How the emulator can play it all the same, such as a line of a scenario; left out if it cannot. */
  readonly remedy?: string
}
