import { expect, test } from 'vitest'
import { scenarioFormat, versionOf } from '../../../src/domain/scenario/scenario.ts'
import { ScenarioVersions } from '../../../src/lifecycle/scenarios/catalog.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { aScenario } from '../../domain/factories.ts'
import { anOrder } from '../../store/factories.ts'

test('of very many versions not all are kept at hand, and each is found', async () => {
  const store = await openSqliteStore({ file: ':memory:', durable: false })
  const readVersions: string[] = []
  const versions = new ScenarioVersions({
    ...store,
    findScenarioVersion: (version) => {
      readVersions.push(version)
      return store.findScenarioVersion(version)
    },
  })
  const kept = Array.from({ length: 600 }, (_, n) => {
    const scenario = aScenario([], { description: `version ${n}` })
    return { scenario, version: versionOf(scenario), text: '', from: 'put', file: null } as const
  })
  for (const each of kept) await versions.keep(each)
  for (const { version, scenario } of kept.toReversed())
    expect(await versions.of(anOrder({ scenario: { id: 'test', why: 'default', version } }))).toEqual(
      scenario,
    )
  expect(readVersions).toHaveLength(100)
  await store.close()
})

test.each([0, scenarioFormat + 1])(
  'a version of another compiled form, %i, is refused by name',
  async (format) => {
    const store = await openSqliteStore({ file: ':memory:', durable: false })
    const scenario = aScenario([])
    const version = versionOf(scenario)
    await store.saveScenarioVersion(version, { scenarioJson: JSON.stringify(scenario), format })
    const order = anOrder({ scenario: { id: 'test', why: 'default', version } })
    await expect(new ScenarioVersions(store).of(order)).rejects.toMatchObject({ code: 'scenario_outdated' })
    await store.close()
  },
)
