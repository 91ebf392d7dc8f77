import { expect, test } from 'vitest'
import { sentText } from '../../src/domain/text/limits.ts'
import { limits } from '../../src/http/node-http.ts'

test('a text that is sent may have what any body may have', () => {
  expect(sentText).toMatchObject({ bytes: limits.bodyBytes, tokens: limits.jsonValues })
})
