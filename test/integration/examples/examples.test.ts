import { beforeAll, describe, expect, test } from 'vitest'
import { bugsOf, exampleNames } from '../../../tools/example-bugs.ts'
import { ExampleCopy, hasChromium } from './example-copy.ts'

const needsChromium = 'playwright'
if (!hasChromium && process.env.CI !== undefined)
  throw new Error('The playwright example needs chromium: /usr/bin/chromium, or the one that CHROMIUM names')
if (!hasChromium) console.warn('The playwright example is skipped: no /usr/bin/chromium, and none in CHROMIUM')
const examples = exampleNames.filter((name) => hasChromium || name !== needsChromium)

describe.each(examples)('the %s example', (name) => {
  let example: ExampleCopy

  beforeAll(async () => {
    example = await ExampleCopy.installed(name)
  })

  test('installs with npm ci, and passes its tests', async () => {
    const { passed, failed } = await example.test()
    expect(failed).toEqual([])
    const guards = bugsOf(name).flatMap(({ caughtBy }) => caughtBy)
    expect(passed).toEqual(expect.arrayContaining(guards.map((guard) => `${guard.file} > ${guard.name}`)))
  })

  test.concurrent.each(bugsOf(name))('is caught when it has this bug: $title', async (bug) => {
    const { failed } = await (await example.withBug(bug)).test()
    expect(failed).toEqual(bug.caughtBy.map((guard) => `${guard.file} > ${guard.name}`).toSorted())
  })
})
