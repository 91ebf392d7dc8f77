import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fileText, sentText } from '../src/domain/text-limits.ts'
import { limits } from '../src/http/limits.ts'

const document = readFileSync(new URL('../docs/explanation/security.md', import.meta.url), 'utf8')

test.each([
  ['Body', `${limits.bodyBytes / 1024 ** 2} MiB`],
  ['Nesting of JSON', `${limits.jsonLevels} levels`],
  ['Values in a JSON body', limits.jsonValues.toLocaleString('en-US')],
  ['Tokens in a YAML body \\(.*?\\)', sentText.tokens.toLocaleString('en-US')],
  ['Parts of a fixture in a body \\(.*?\\)', sentText.parts.toLocaleString('en-US')],
  ['File \\(.*?\\)', `${fileText.bytes / 1024 ** 2} MiB`],
  ['Tokens in a YAML file', fileText.tokens.toLocaleString('en-US')],
  ['Parts of a fixture in a file', fileText.parts.toLocaleString('en-US')],
  ['First line and headers together', `${limits.headerBytes / 1024} KiB`],
  ['Time until the headers are there', `${limits.headersMs / 1000} s`],
  ['Time until the whole request is there', `${limits.requestMs / 1000} s`],
  ['Idle time of a connection', `${limits.keepAliveMs / 1000} s`],
  ['Connections at the same time', limits.connections.toLocaleString('en-US')],
])('the page on security gives the limit that holds: %s', (name, value) => {
  const [, told = ''] = new RegExp(`^\\| ${name} \\| ([^|]*) \\|`, 'm').exec(document) ?? []
  expect(told.split(',')[0] === value || told.startsWith(`${value},`) || told === value).toBe(true)
})

test('a text that is sent may have what any body may have', () => {
  expect(sentText).toMatchObject({ bytes: limits.bodyBytes, tokens: limits.jsonValues })
})
