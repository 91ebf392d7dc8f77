import { expect, test } from 'vitest'
import { conflictIn, conflictWithin } from '../../../src/domain/choices/read-settings.ts'
import {
  effectiveSettings,
  type SettingName,
  type SettingsOverlay,
  settingNames,
  settingValues,
} from '../../../src/domain/choices/settings.ts'
import { driftOf } from '../../../src/learn/drift.ts'
import type { Evidence } from '../../../src/learn/evidence/evidence.ts'
import { sized } from '../support/size.ts'
import { hiddenSettings } from './hidden-settings.ts'
import { capturedFrom, eachOf, findingsIn } from './learned-from.ts'
import { sameMeaning } from './same-value.ts'
import { type Showable, showable } from './showable.ts'

const seeds = Array.from({ length: 40 }, (_, index) => index + 1)

/** One setting of a service that has changed since the file was learned. */
interface Change {
  readonly seed: number
  readonly before: SettingsOverlay
  readonly after: SettingsOverlay
  readonly shown: Showable
}

/** A change for each setting that can be shown, with a value of another provider. */
function changes(): Change[] {
  const all = seeds.map((seed) => {
    const hidden = hiddenSettings(seed)
    return { seed, hidden, shows: new Set(showable(hidden).map((each) => each.setting)) }
  })
  return settingNames.flatMap((setting): Change[] => {
    for (const { seed, hidden: before, shows } of all) {
      if (!shows.has(setting)) continue
      for (const other of all) {
        const after = changed(before, setting, other.hidden)
        const shown = after && showable(after).find((each) => each.setting === setting)
        if (after !== null && shown) return [{ seed, before, after, shown }]
      }
    }
    return []
  })
}

function changed(
  before: SettingsOverlay,
  setting: SettingName,
  other: SettingsOverlay,
): SettingsOverlay | null {
  // A settings file cannot say that a setting has no value.
  if ((settingValues(before)[setting] ?? null) === null) return null
  const value = other[setting] ?? undefined
  if (sameMeaning(setting, before[setting] ?? undefined, value)) return null
  const { [setting]: _, ...rest } = before
  const after: SettingsOverlay = value === undefined ? rest : { ...rest, [setting]: value }
  const conflict = conflictWithin(after) ?? conflictIn(effectiveSettings(after))
  return conflict === undefined ? after : null
}

/** The settings file of a service that was learned before: everything that its traffic can show. */
function fileOf(hidden: SettingsOverlay): SettingsOverlay {
  const values = settingValues(hidden)
  return Object.fromEntries(showable(hidden).map(({ setting }) => [setting, values[setting]]))
}

test('names each single setting that has changed', async () => {
  const all = changes()
  expect(all.length).toBeGreaterThanOrEqual(50)
  const captured = all.filter((_, index) => index % sized({ whole: 1, part: 3 }) === 0)
  const silent = await eachOf(captured, async ({ seed, before, after, shown: { setting, parts } }) => {
    const evidence = await capturedFrom(after, { seed, only: parts })
    const { settings } = driftOf(fileOf(before), undefined, evidence)
    const checked = settings.find((each) => each.setting === setting)
    if (checked?.state === 'contradicted') return []
    const [from, to] = [before, after].map((one) => JSON.stringify(settingValues(one)[setting]))
    return [
      `${setting} from ${from} to ${to}: ${checked?.state ?? 'not in the file'}: ${checked?.evidence ?? ''}`,
    ]
  })
  expect(silent.flat(), silent.flat().join('\n')).toEqual([])
})

test('says nothing about pairs of captures of an unchanged service', async () => {
  const turns = [1, 2, 3, 4, 5].slice(0, sized({ whole: 5, part: 3 }))
  const hiddens = seeds.slice(0, 3).map(hiddenSettings)
  const runs = hiddens.flatMap((hidden, index) => turns.map((turn) => ({ hidden, seed: 100 * index + turn })))
  const evidence = new Map<(typeof runs)[number], Evidence>()
  await eachOf(runs, async (run) => {
    evidence.set(run, await capturedFrom(run.hidden, run))
  })
  const pairs = runs.flatMap((first) =>
    runs
      .filter((second) => second !== first && second.hidden === first.hidden)
      .map((second) => ({ first, second })),
  )
  expect(pairs.length).toBeGreaterThanOrEqual(sized({ whole: 50, part: 18 }))
  const loud = pairs.flatMap(({ first, second }) => {
    const [before, now] = [evidence.get(first), evidence.get(second)]
    if (before === undefined || now === undefined) throw new Error('a run has no captures')
    return driftOf(learnedFile(before), undefined, now)
      .settings.filter(({ state }) => state === 'contradicted')
      .map(
        ({ setting, value, evidence: words }) =>
          `${first.seed} and ${second.seed}: ${setting} ${JSON.stringify(value)}: ${words}`,
      )
  })
  expect(loud, loud.join('\n')).toEqual([])
})

/** The settings file as it is learned from captures. */
function learnedFile(evidence: Evidence): SettingsOverlay {
  const known = [...findingsIn(evidence).values()].filter(({ state }) => state === 'known')
  return Object.fromEntries(known.map(({ setting, value }) => [setting, value]))
}
