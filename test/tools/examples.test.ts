import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bugsOf, exampleNames, examplesFolder } from '../../tools/docs/examples.ts'

describe.each(exampleNames)('the %s example', (example) => {
  test.each(bugsOf(example))('has the tests that catch $name', ({ caughtBy }) => {
    for (const { file, name } of caughtBy) {
      const [tests, begin] = file.includes('stories')
        ? // Each story is a test, called as its file.
          [`found/${name}.yaml`, 'promise: ']
        : [file, `test('${name}'`]
      expect(readFileSync(join(examplesFolder, example, tests), 'utf8')).toContain(begin)
    }
  })

  test('locks what it installs, but not the checksum of the package, which each build changes', () => {
    const { packages } = JSON.parse(readFileSync(join(examplesFolder, example, 'package-lock.json'), 'utf8'))
    expect(packages['node_modules/payment-order-emulator']).not.toHaveProperty('integrity')
    expect(JSON.stringify(packages)).not.toMatch(/"resolved":"http/)
  })
})
