import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { jsonSchemas } from '../../tools/json-schemas.ts'

test.each(jsonSchemas())('$target is what the code says (node tools/json-schemas.ts)', ({ target, text }) => {
  expect(readFileSync(target, 'utf8')).toBe(text)
})
