import * as z from 'zod'
import { isSettingName, type SettingName } from './settings.ts'

const evidence = z.string().min(1).max(2000)

const learnedSetting = z.strictObject({
  value: z.unknown(),
  /** The number of independent observations. */
  observations: z.int().min(1),
  evidence,
})

/** Schema of what a settings file says about the captures that its values come from. */
export const learnedSettings = z.strictObject({
  on: z.iso.date('must be a date such as 2026-11-29'),
  from: z.array(z.string().max(1000)).max(1000).default([]),
  settings: z.partialRecord(
    z.string().refine(isSettingName, { error: ({ input }) => `\`${String(input)}\` is no setting` }),
    learnedSetting,
  ),
  /** Settings that the captures do not show, with the reason. */
  unknown: z.record(z.string(), evidence).default({}),
  /** What no setting can say. `drift` reports what is new. */
  unexplained: z.array(z.string().max(2000)).max(10_000).default([]),
})

/** The evidence of a settings file that `learn` has written. */
export type LearnedSettings = Readonly<z.output<typeof learnedSettings>>

/** How a setting got its value: the emulator's default, set by somebody, or learned from captures. */
export type Provenance =
  | { readonly source: 'shipped' | 'set'; readonly learned: null }
  | {
      readonly source: 'learned'
      readonly learned: { readonly on: string; readonly observations: number; readonly evidence: string }
    }

/** Tells where the value of a setting comes from.
 *  @param value the present value, as a user writes it; undefined for the default
 *  @param learned the evidence of the settings file, if it has some */
export function provenanceOf(name: SettingName, value: unknown, learned: LearnedSettings | null): Provenance {
  const found = learned?.settings[name]
  // A value that was changed since is no longer the learned one.
  if (learned !== null && found !== undefined && isSame(found.value, value ?? null)) {
    const { observations, evidence } = found
    return { source: 'learned', learned: { on: learned.on, observations, evidence } }
  }
  return { source: value === undefined ? 'shipped' : 'set', learned: null }
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
