import type { SettingName } from '../../../src/domain/choices/settings.ts'
import type { Chance } from '../support/fuzz/chance.ts'

/** Values of settings as a settings file writes them; undefined for the default. */
export type Written = { readonly [Name in SettingName]?: unknown }

/** One of some values in half of all cases, else none: the default. */
export function half(chance: Chance, values: readonly unknown[]): unknown {
  const value = chance.pick(values)
  return chance.yes(0.5) ? value : undefined
}

/** Puts a list into another order. */
export function shuffled<T>(chance: Chance, list: readonly T[]): T[] {
  return list
    .map((each) => ({ each, at: chance.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ each }) => each)
}
