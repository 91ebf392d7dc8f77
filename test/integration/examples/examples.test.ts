import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { bugsOf, type ExampleTest, exampleNames } from '../../../tools/docs/examples.ts'
import { isWhole } from '../../hard/support/size.ts'
import { startTestEmulator } from '../../support/emulator.ts'
import { bugs } from '../../sweep/matrix/visible-bugs.ts'
import { packed } from '../support/tarball.ts'
import { ExampleCopy, hasChromium } from './example-copy.ts'

if (!hasChromium && process.env.CI !== undefined)
  throw new Error('The playwright example needs chromium: /usr/bin/chromium, or the one that CHROMIUM names')
if (!hasChromium)
  console.warn('The playwright example is skipped: no /usr/bin/chromium, and none in CHROMIUM')
const examples = exampleNames.filter((name) => hasChromium || name !== 'playwright')

const copies = new Map<string, ExampleCopy>()

beforeAll(async () => {
  const tarball = await packed()
  const installed = async (name: string) => copies.set(name, await ExampleCopy.installed(name, tarball))
  await Promise.all(examples.map(installed))
})

function copyOf(name: string): ExampleCopy {
  const copy = copies.get(name)
  if (copy === undefined) throw new Error(`The ${name} example is not installed`)
  return copy
}

const namesOf = (tests: readonly ExampleTest[]) =>
  tests.map(({ file, name }) => `${file} > ${name}`).toSorted()

describe.each(examples)('the %s example', (example) => {
  const all = bugsOf(example)
  // Each takes a run of the whole suite.
  const bugs = all.filter((_, index) => isWhole || index % 3 === 0)

  // Side by side, but for browsers: those would have each other wait for longer than a test of the example does.
  const eachTest = example === 'playwright' ? test : test.concurrent

  eachTest('passes its tests', async () => {
    const { passed, failed } = await copyOf(example).test()
    expect(failed).toEqual([])
    expect(passed).toEqual(expect.arrayContaining(namesOf(all.flatMap(({ caughtBy }) => caughtBy))))
  })

  eachTest('fails with each bug the tests that are there for it, and no others', async () => {
    const caught = bugs.map(({ name, caughtBy }) => [name, namesOf(caughtBy)])
    expect(await copyOf(example).failuresWith(bugs)).toEqual(Object.fromEntries(caught))
  })
})

/** Bugs that the happy path of an example sees under some behaviour. */
const swept = ['vitest', 'jest'].flatMap((example) =>
  bugsOf(example).flatMap((bug) => {
    const sight = bugs[`examples/${example}`]?.[bug.name]
    const isQuick = bug.name === 'ships-twice' || bug.name === 'month-per-webhook'
    return sight !== undefined && 'by' in sight && (isWhole || isQuick) ? { example, bug, ...sight } : []
  }),
)

test.concurrent.each(['vitest', 'jest'])(
  'the happy path of the %s example survives what breaks its bugs',
  async (name) => {
    const all = [...new Set(swept.flatMap(({ example, by }) => (example === name ? by : [])))]
    const survived = Object.fromEntries(all.map((behaviour) => [behaviour, 'survived']))
    expect(await copyOf(name).swept(all)).toEqual(survived)
  },
)

test.concurrent.each(swept.map((one) => ({ ...one, name: one.bug.name })))(
  'the happy path of the $example example alone, with the bug $name: $sees',
  async ({ example, bug, by, missed }) => {
    const results = await copyOf(example).swept(by, bug)
    expect(Object.values(results).includes('BROKE'), JSON.stringify(results)).toBe(missed === undefined)
  },
)

test('the tests of the shop pass unchanged with an emulator that runs elsewhere', async () => {
  const emulator = await startTestEmulator()
  // As to a container, 127.0.0.1 is not the shop: it has to be called by another name, and to listen there.
  const elsewhere = { EMULATOR_URL: emulator.url, WEBHOOK_HOST: '127.0.0.2' }
  const { failed } = await copyOf('vitest').withoutConform('elsewhere').test(elsewhere)
  expect(failed).toEqual([])
  const { text } = await emulator.control('/metrics')
  expect(text).toMatch(/^payment_order_emulator_orders_created_total\b.* [1-9]/m)
})

test('the magazine passes its tests, conform too, under the settings file of a provider that signs and words otherwise', async () => {
  const adapted = await copyOf('jest').adapted('norvelle-pay')
  const settings = parse(readFileSync('docs/settings/norvelle-pay.yaml', 'utf8'))
  const { passed, failed } = await adapted.test({ PROVIDER: JSON.stringify(settings) })
  expect(failed).toEqual([])
  expect(passed.length).toBeGreaterThan(10)
  const { failed: withoutTheFile } = await adapted.test({ PROVIDER: '{}' })
  expect(withoutTheFile.join()).toContain('K03')
})
