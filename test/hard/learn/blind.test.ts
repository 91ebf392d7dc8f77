import { beforeAll, expect, test } from 'vitest'
import {
  effectiveSettings,
  isSettingName,
  type SettingsOverlay,
  settingValues,
} from '../../../src/domain/choices/settings.ts'
import type { Finding } from '../../../src/learn/elimination/finding.ts'
import { sized } from '../support/size.ts'
import { hiddenSettings } from './hidden-settings.ts'
import { capturedFrom, eachOf, findingsIn } from './learned-from.ts'
import { sameMeaning } from './same-value.ts'
import { showable } from './showable.ts'

interface Run {
  readonly seed: number
  readonly hidden: SettingsOverlay
  readonly findings: ReadonlyMap<string, Finding>
}

const seeds = Array.from({ length: sized({ whole: 20, part: 8 }) }, (_, index) => index + 1)
let runs: readonly Run[] = []

beforeAll(async () => {
  runs = await eachOf(seeds, async (seed) => {
    const hidden = hiddenSettings(seed)
    return { seed, hidden, findings: findingsIn(await capturedFrom(hidden, { seed })) }
  })
})

const isSaid = ({ state }: Finding): boolean => state === 'known' || state === 'likely'

/** The settings that were not found, and why, each as a line. */
function missed({ seed, hidden, findings }: Run): string[] {
  return showable(hidden).flatMap(({ setting, by }) => {
    const finding = findings.get(setting)
    if (finding !== undefined && isSaid(finding)) return []
    const why = finding === undefined ? 'no rule' : `${finding.state}: ${finding.evidence}`
    return `run ${seed}: ${setting} is ${written(hidden, setting)} (${by}) but ${why}`
  })
}

/** The settings whose value is not the hidden one, each as a line with the evidence. */
function wrong({ seed, hidden, findings }: Run): string[] {
  const values = settingValues(hidden)
  return [...findings.values()]
    .filter(isSaid)
    .flatMap(({ setting, state, value, evidence }) =>
      sameMeaning(setting, value, values[setting])
        ? []
        : `run ${seed}: ${setting} is ${written(hidden, setting)}, not ${JSON.stringify(value)} (${state}: ${evidence})`,
    )
}

const written = (hidden: SettingsOverlay, setting: string): string =>
  JSON.stringify(settingValues(hidden)[setting])

test('finds at least 90 % of what the traffic of hidden settings can show, and 15 of them in each run', () => {
  const all = runs.flatMap(({ hidden }) => showable(hidden))
  const missing = runs.flatMap(missed)
  const few = runs.filter((run) => showable(run.hidden).length - missed(run).length < 15)
  expect(all.length).toBeGreaterThan(30 * seeds.length)
  expect.soft(few.map(({ seed }) => seed)).toEqual([])
  const found = all.length - missing.length
  expect(
    found / all.length,
    `${found} of ${all.length}; missing:\n${missing.join('\n')}`,
  ).toBeGreaterThanOrEqual(0.9)
})

test('says nothing that differs from the hidden settings', () => {
  const all = runs.flatMap(wrong)
  expect(all, all.join('\n')).toEqual([])
})

test('has hidden settings that differ from run to run and from the defaults', () => {
  const texts = new Set(runs.map(({ hidden }) => JSON.stringify(hidden)))
  expect(texts.size).toBe(seeds.length)
  const defaults = effectiveSettings()
  for (const { hidden } of runs) {
    const other = Object.keys(hidden).filter(
      (name) => isSettingName(name) && !sameMeaning(name, hidden[name], settingValues({})[name]),
    )
    expect(other.length).toBeGreaterThan(Object.keys(defaults).length / 5)
  }
})
