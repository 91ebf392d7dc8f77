import type { CheckedSetting, Drift } from '../drift.ts'
import type { Finding, FindingState, Unexplained } from '../elimination/finding.ts'
import type { Learned } from '../learn.ts'
import type { Masker } from '../mask.ts'
import type { ReadCaptures, ReadFile } from '../read-captures.ts'
import { whyUnknown, withoutPeople } from '../settings-file.ts'

/** The result of `learn`, with people and secrets masked. */
export interface LearnReport {
  readonly files: readonly ReadFile[]
  readonly notes: readonly string[]
  readonly settings: readonly ReportedSetting[]
  /** What no setting can say. */
  readonly unexplained: readonly ReportedRest[]
  /** The numbers of settings with each state. */
  readonly counts: Readonly<Record<FindingState, number>>
}

/** A setting in a report. */
export interface ReportedSetting {
  readonly setting: string
  readonly state: FindingState
  /** The value as a settings file writes it; left out unless known or likely. */
  readonly value?: unknown
  /** The number of independent observations that tell values apart. */
  readonly observations: number
  /** What was seen, or why nothing can be said. */
  readonly evidence: string
  /** The cheapest observation that would decide; null if the value is known, or nothing can. */
  readonly decide: string | null
  /** Values that an observation ruled out. */
  readonly excluded: readonly { readonly value: unknown; readonly by: string; readonly words: string }[]
  /** The values that are left of several. */
  readonly left: readonly unknown[]
}

/** Something that no setting can say. */
export interface ReportedRest {
  readonly what: string
  readonly count: number
  readonly of: number | null
  /** One example, masked. */
  readonly example: string
  readonly place: string
  /** How the emulator can play it all the same; null if it cannot. */
  readonly remedy: string | null
}

/** Builds the report of `learn`. */
export function learnReport(read: ReadCaptures, learned: Learned, masker: Masker): LearnReport {
  const settings = learned.findings.map((finding) => reported(finding, masker))
  const count = (state: FindingState) => settings.filter((each) => each.state === state).length
  return {
    ...aboutFiles(read, masker),
    settings,
    unexplained: learned.unexplained.map((rest) => reportedRest(rest, masker)),
    counts: {
      known: count('known'),
      likely: count('likely'),
      unknown: count('unknown'),
      contradictory: count('contradictory'),
    },
  }
}

function aboutFiles({ files, notes }: ReadCaptures, masker: Masker) {
  const mask = (text: string) => masker.mask(text)
  return {
    files: files.map((file) => ({ ...file, file: mask(file.file), notes: file.notes.map(mask) })),
    notes: notes.map(mask),
  }
}

function reported(finding: Finding, masker: Masker): ReportedSetting {
  const { setting, state, observations, evidence, decide } = finding
  const isSeen = state === 'known' || state === 'likely'
  return {
    ...{ setting, state, observations, decide },
    ...(isSeen && { value: withoutPeople(finding.value, masker) }),
    evidence: masker.mask(evidence),
    excluded: finding.excluded.map(({ value, by, words }) => ({
      value: withoutPeople(value, masker),
      by: masker.mask(`${by.file}, ${by.place}`),
      words: masker.mask(words),
    })),
    left: isSeen ? [] : finding.left.map((value) => withoutPeople(value, masker)),
  }
}

function reportedRest(rest: Unexplained, masker: Masker): ReportedRest {
  const { what, count, of, example, source, remedy = null } = rest
  return {
    ...{ count, of },
    what: masker.mask(what),
    example: masker.mask(example),
    place: masker.mask(`${source.file}, ${source.place}`),
    remedy: remedy === null ? null : masker.mask(remedy),
  }
}

/** The result of `drift`, with people and secrets masked. */
export interface DriftReport {
  readonly files: readonly ReadFile[]
  readonly notes: readonly string[]
  /** A setting of the settings file each. */
  readonly settings: readonly CheckedSetting[]
  /** What no setting can say and the settings file does not list yet. */
  readonly fresh: readonly ReportedRest[]
  readonly counts: Readonly<Record<CheckedSetting['state'], number>>
}

/** Builds the report of `drift`. */
export function driftReport(read: ReadCaptures, drift: Drift, masker: Masker): DriftReport {
  const settings = drift.settings.map((one) => ({
    ...one,
    value: withoutPeople(one.value, masker),
    now: withoutPeople(one.now, masker),
    evidence: masker.mask(one.evidence),
  }))
  const count = (state: CheckedSetting['state']) => settings.filter((each) => each.state === state).length
  return {
    ...aboutFiles(read, masker),
    settings,
    fresh: drift.fresh.map((rest) => reportedRest(rest, masker)),
    counts: {
      contradicted: count('contradicted'),
      confirmed: count('confirmed'),
      'not seen': count('not seen'),
    },
  }
}

/** Why a setting of a report has no value, and what would decide. */
export const reasonOf = ({ state, evidence, decide }: ReportedSetting): string =>
  whyUnknown({ state, evidence, decide })
