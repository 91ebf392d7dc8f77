import { expect, test } from 'vitest'
import { diagnoseToken, type KnownCredentials, type SentToken } from '../../../src/domain/diagnosis/token.ts'
import { processorMs } from '../../support/processor-ms.ts'

const issued = 'x'.repeat(43)
const known: KnownCredentials = {
  ownerOf: (token) => (token === 'Token-1' ? 'C1' : null),
  credential: (text) => {
    if (text === 'secret-1') return { clientId: 'C1', what: 'API secret' }
    return text.toLowerCase() === 'token-1' ? { clientId: 'C1', what: 'token in other letters' } : null
  },
}

const diagnosed = (token: string | undefined, rest: Partial<SentToken> = {}) =>
  diagnoseToken(
    { token, header: () => undefined, query: () => new URLSearchParams(), body: '', ...rest },
    known,
  )

const withHeader = (name: string, value: string): Partial<SentToken> => ({
  header: (asked) => (asked === name ? value : undefined),
})

test.each([
  ['Bearer Token-1', 'token.prefix', 'a token of "C1"'],
  ['bearer nobodys', 'token.prefix', 'no client has'],
  ['Token: Token-1', 'token.prefix', 'a token of "C1"'],
  ['"Token-1"', 'token.wrapped', 'quotes'],
  ["b'Token-1'", 'token.wrapped', 'Python'],
  ['<Token-1>', 'token.wrapped', 'brackets'],
  ['Token-1\\n', 'token.wrapped', 'line break'],
  ['Token-1%20', 'token.wrapped', 'line break'],
  ['Token-1, Token-1', 'token.twice', '2 times'],
  ['nobodys, Token-1', 'token.twice', '2 times'],
  ['TOKEN-1', 'token.letter-case', '"C1"'],
  ['secret-1', 'token.credential', 'API secret of "C1"'],
  ['${TOKEN}', 'token.placeholder', '${TOKEN}'],
  ['undefined', 'token.placeholder', 'undefined'],
  [issued, 'token.lost', 'a reset'],
  ['', 'token.empty', 'is empty'],
  [undefined, 'token.missing', 'is missing'],
])('%j is %s', (token, cause, words) => {
  expect(diagnosed(token)).toEqual({ cause, message: expect.stringContaining(words) })
})

test.each([
  [withHeader('authorization', 'Bearer Token-1'), 'token.authorization-header', 'a token of "C1"'],
  [withHeader('authorization', 'Bearer nobodys'), 'token.authorization-header', 'no client has'],
  [withHeader('x-access-token', 'Token-1'), 'token.header-name', '`x-access-token`'],
  [withHeader('access_token', 'Token-1'), 'token.header-name', '`access_token`'],
  [{ query: () => new URLSearchParams('access_token=Token-1') }, 'token.in-query', '`access_token`'],
  [{ body: '{"accessToken":"Token-1"}' }, 'token.in-body', '`accessToken`'],
] as const)('where there is none, %j is %s', (rest, cause, words) => {
  const { message, ...diagnosis } = diagnosed(undefined, rest)
  expect(diagnosis).toEqual({ cause })
  expect(message).toContain(words)
  expect(message).not.toContain('Token-1')
})

test.each([
  ['nobodys', 'a plain wrong token'],
  ['"nobodys"', 'quotes around what is no token either'],
  ['nobodys, nobody-elses', 'two wrong ones'],
  ['Bearer', 'a prefix alone'],
  ['x'.repeat(42), 'one character less than those that are given out'],
  ['Token-12', 'one that begins with a right one'],
  ['secret-1x', 'nearly a secret'],
])('%j is only unknown: %s', (token) => {
  expect(diagnosed(token).cause).toBe('token.unknown')
})

test.each([
  [withHeader('x-request-id', 'Token-1')],
  [{ query: () => new URLSearchParams('tokens=Token-1') }],
  [{ body: '{"order":{"accessToken":"Token-1"}}' }],
  [{ body: '{"accessToken":7}' }],
  [{ body: 'accessToken' }],
] as const)('%j is no other place for a token', (rest) => {
  expect(diagnosed(undefined, rest).cause).toBe('token.missing')
})

test.each([
  ['spaces', `x${' '.repeat(16_000)}x`],
  ['brackets', `<${'>'.repeat(16_000)}x`],
  ['commas', ','.repeat(16_000)],
])('16 KiB of %s are looked at in bounded time', (_, token) => {
  expect(diagnosed(token).cause).toBe('token.unknown')
  expect(processorMs(() => diagnosed(token))).toBeLessThan(50)
})
