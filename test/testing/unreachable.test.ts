import { expect, test } from 'vitest'
import { unreachable } from '../../src/testing/unreachable.ts'

const met = (code: string, message = code): Error => Object.assign(new Error(message), { code })
const timeout = new DOMException('The operation was aborted due to timeout', 'TimeoutError')

test.each([
  [met('ECONNREFUSED'), 'Nothing listens there. Is it running?'],
  [
    new AggregateError([met('ECONNREFUSED', 'connect ECONNREFUSED ::1:1')]),
    'connect ECONNREFUSED ::1:1. Nothing',
  ],
  [met('ENOTFOUND'), 'The name emulator.test is not known here.'],
  [met('UND_ERR_SOCKET', 'other side closed'), 'The connection ended. Has the emulator been stopped?'],
  [met('ECONNRESET'), 'The connection ended.'],
  [met('DEPTH_ZERO_SELF_SIGNED_CERT'), 'Its certificate is not trusted here. NODE_EXTRA_CA_CERTS=<file>'],
  [met('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'Its certificate is not trusted here.'],
  [met('ERR_TLS_CERT_ALTNAME_INVALID'), 'Its certificate is for another name.'],
  [met('CERT_HAS_EXPIRED'), 'Its certificate has expired.'],
  [met('HPE_INVALID_CONSTANT'), 'Something else listens there.'],
  [timeout, 'it took too long. Is it busy, or is something else there?'],
  [{ code: 'ECONNREFUSED', message: 'an error of another realm' }, 'another realm. Nothing listens there.'],
  [met('EWHATEVER', 'something new'), 'something new'],
  ['a text', 'a text'],
])('%o is told as: %s', (error, words) => {
  const sent = { method: 'POST', path: '/_emulator/reset?clientId=shop' }
  const told = unreachable('https://emulator.test', sent, error)
  expect(told.message).toContain(
    'No answer from the emulator at https://emulator.test to POST /_emulator/reset: ',
  )
  expect(told.message).toContain(words)
  expect(told.cause).toBe(error)
})
