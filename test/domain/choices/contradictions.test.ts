import { describe, expect, test } from 'vitest'
import { readSettings, readSettingsFile } from '../../../src/domain/choices/read-settings.ts'

function refusals(input: object, scope: 'common' | 'client' | 'order' = 'common'): string[] {
  const reading = readSettings(input, { scope })
  return reading.ok ? [] : reading.problems.map(({ message }) => message)
}

describe('a setting that would contradict the API specification is refused with its line:', () => {
  const verification = '(section "Errors": 401, `{error: <string>}`, text `Client verification failed`)'
  const duplicate = 'code `7001`: `Order already exists for given requestId`'
  test.each([
    ['another status for a failed verification', { 'errors.verificationStatus': 403 }, verification],
    ['the same in a group', { errors: { verification: { status: 403 } } }, verification],
    ['under another name', { errors: { unauthorizedStatus: 403 } }, verification],
    ['a code for 401', { errors: { codes: { 401: 'E1' } } }, verification],
    ['another text for 7001', { errors: { catalog: { 7001: 'Duplicate' } } }, duplicate],
    ['another status for 7001', { errors: { duplicateStatus: 409 } }, duplicate],
    ['another header of the token', { auth: { tokenHeader: 'Authorization' } }, 'the header `access-token`'],
    ['another encoding of signatures', { signature: { encoding: 'hex' } }, 'base64-encoded'],
    ['another prefix of the paths', { paths: { prefix: '/v2' } }, 'All paths carry the prefix `/v1/`'],
  ])('%s', (_, settings, line) => {
    expect(refusals(settings)).toEqual([
      expect.stringMatching(/ cannot be set: the API specification prints it \(section /),
    ])
    expect(refusals(settings)[0]).toContain(line)
  })

  test('for all clients, for one client and in a scenario', () => {
    const catalog = { errors: { catalog: { 7001: 'Duplicate' } } }
    for (const scope of ['common', 'client', 'order'] as const)
      expect(refusals(catalog, scope)).toEqual([expect.stringContaining(duplicate)])
  })

  test('at its line and column in a file', () => {
    const reading = readSettingsFile(
      "errors:\n  catalog:\n    '9007': Late\n    '7001': Duplicate\n",
      's.yaml',
    )
    expect(reading).toEqual({ problems: [expect.objectContaining({ file: 's.yaml', line: 4, column: 5 })] })
  })
})

test('what the API specification leaves open can be set', () => {
  const open = {
    'errors.catalog': { 9005: 'Payment declined', 9007: 'Late' },
    'errors.codes': { 400: 'E400', 429: 1015 },
    'errors.validationStatus': 422,
    'signature.checkout': 'short',
  }
  expect(refusals(open)).toEqual([])
})

test('an unknown setting that contradicts nothing still gets its suggestion', () => {
  expect(refusals({ errors: { validationState: 422 } })).toEqual([
    'unknown setting `errors.validationState`; did you mean `errors.validationStatus`?',
  ])
})
