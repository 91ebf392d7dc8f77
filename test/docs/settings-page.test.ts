import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readSettingsFile } from '../../src/domain/choices/read-settings.ts'

const page = readFileSync('docs/reference/settings.md', 'utf8')
const files = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => text)

describe('a settings file that docs/reference/settings.md shows', () => {
  test('is there for each way of writing', () => expect(files.length).toBeGreaterThan(3))

  test.each(files)('is accepted as it stands:\n%s', (text) => {
    expect(readSettingsFile(text, 'settings.yaml')).toEqual({ overlay: expect.any(Object) })
  })
})
