import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('what an import of the library loads is small: no schemas, no engine', () => {
  const text = readFileSync('dist/library.js', 'utf8')
  expect(text).toContain('startEmulator')
  expect(text.length).toBeLessThan(200_000)
})
