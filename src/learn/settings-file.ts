import { stringify } from 'yaml'
import type { LearnedSettings } from '../domain/choices/learned.ts'
import { conflictIn, conflictWithin } from '../domain/choices/read-settings.ts'
import {
  effectiveSettings,
  type SettingName,
  type SettingsOverlay,
  settingsSchema,
} from '../domain/choices/settings.ts'
import { yamlComment } from '../domain/keep/yaml-text.ts'
import type { Finding } from './elimination/finding.ts'
import type { Learned } from './learn.ts'
import type { Masker } from './mask.ts'

/** What a settings file is written from. */
export interface FileContent {
  readonly learned: Learned
  /** The date of today, such as `2026-11-29`. */
  readonly on: string
  /** The names of the captures. */
  readonly from: readonly string[]
}

/** The known settings, as `--settings` and `startEmulator` take them. No place of settings has a way to write "nothing",
 *  which is the default of such settings. */
export function overlayOf(learned: Learned, masker: Masker): SettingsOverlay {
  return Object.fromEntries(
    Object.entries(knownValues(learned, masker)).filter(([, value]) => value !== null),
  )
}

/** The values of the known settings; null for one that is nothing. Values that conflict with others are left out. */
function knownValues({ findings }: Learned, masker: Masker): SettingsOverlay {
  const values = Object.fromEntries(
    findings
      .filter(({ state }) => state === 'known')
      .map(({ setting, value }) => [setting, withoutPeople(value, masker)] as const)
      .filter(([setting, value]) => settingsSchema.shape[setting].safeParse(value).success),
  )
  const whole: SettingsOverlay = values
  for (;;) {
    const conflict = conflictWithin(whole) ?? conflictIn(effectiveSettings(whole))
    if (conflict === undefined || !Object.hasOwn(values, conflict.name)) return whole
    delete values[conflict.name]
  }
}

/** Calls a setting unknown if only the mask of a secret makes its value unusable: a header with a key that never
 *  changes, for example. */
export function withoutUnusable({ findings, unexplained }: Learned, masker: Masker): Learned {
  const isUsable = (setting: SettingName, value: unknown) =>
    settingsSchema.shape[setting].safeParse(value).success
  return {
    findings: findings.map((finding) => {
      const { setting, value, state, evidence } = finding
      const isSeen = state === 'known' || state === 'likely'
      if (!isSeen || !isUsable(setting, value) || isUsable(setting, withoutPeople(value, masker)))
        return finding
      const words = `${evidence}; a secret in it is not written, so set \`${setting}\` by hand`
      return { ...finding, state: 'unknown', left: [value], evidence: words, decide: null }
    }),
    unexplained,
  }
}

/** Masks the texts of a value. Its own words, such as `secret`, are no names of fields in traffic. */
export function withoutPeople(value: unknown, masker: Masker): unknown {
  if (typeof value === 'string') return masker.mask(value)
  if (Array.isArray(value)) return value.map((each) => withoutPeople(each, masker))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutPeople(each, masker)]))
}

/** The most that a settings file may list, as `learnedSettings` says. */
const mostFiles = 1000
const mostUnexplained = 10_000

const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text

/** Writes the settings file: the known settings, the likely ones as comments, and the evidence under `learned`. */
export function settingsFile({ learned, on, from }: FileContent, masker: Masker): string {
  const values = knownValues(learned, masker)
  const { findings, unexplained } = learned
  const isWritten = ({ setting }: Finding) => Object.hasOwn(values, setting)
  const mask = (text: string) => shortened(masker.mask(text), 2000)
  const evidence: LearnedSettings = {
    on,
    from: from.slice(0, mostFiles).map((file) => shortened(masker.mask(file), 1000)),
    settings: Object.fromEntries(
      findings
        .filter(isWritten)
        .map(({ setting, observations, evidence }) => [
          setting,
          { value: values[setting] ?? null, observations, evidence: mask(evidence) },
        ]),
    ),
    unknown: Object.fromEntries(
      findings.filter((each) => !isWritten(each)).map((each) => [each.setting, mask(whyUnknown(each))]),
    ),
    unexplained: unexplained.slice(0, mostUnexplained).map(({ what }) => mask(what)),
  }
  const likely = findings.filter(({ state }) => state === 'likely')
  return [
    yamlComment(
      'What the real service did in the captures below. Use it: payment-order-emulator --settings <this file>',
    ),
    stringify(overlayOf(learned, masker), { lineWidth: 0 }).replace(/^\{\}\n$/, ''),
    ...(likely.length === 0 ? [] : [yamlComment('Not certain. Remove the # to use one of them:')]),
    ...likely.map((each) =>
      commented(stringify({ [each.setting]: withoutPeople(each.value, masker) }, { lineWidth: 0 })),
    ),
    stringify({ learned: evidence }, { lineWidth: 0 }),
  ].join('\n')
}

/** Why a setting has no value in the file, and what would decide. */
export function whyUnknown({
  state,
  evidence,
  decide,
}: Pick<Finding, 'state' | 'evidence' | 'decide'>): string {
  const why = state === 'likely' ? `not certain: ${evidence}` : evidence
  return decide === null || decide === '' ? why : `${why}; it would take ${decide}`
}

const commented = (yaml: string): string => yaml.trimEnd().replaceAll(/^/gm, '# ')
