import { expect, test } from 'vitest'
import { unreachable } from '../../src/testing/transport.ts'

const met = (code: string, message = code): Error => Object.assign(new Error(message), { code })
const timeout = new DOMException('The operation was aborted due to timeout', 'TimeoutError')

test.each([
  [met('ECONNREFUSED'), 'Nothing is running there. Start it with `npx payment-order-emulator`.'],
  [
    new AggregateError([met('ECONNREFUSED', 'connect ECONNREFUSED ::1:1')]),
    'connect ECONNREFUSED ::1:1. Nothing',
  ],
  [met('ENOTFOUND'), 'The host name emulator.test is unknown.'],
  [met('UND_ERR_SOCKET', 'other side closed'), 'The connection was closed. Was the emulator stopped?'],
  [met('ECONNRESET'), 'The connection was closed.'],
  [met('DEPTH_ZERO_SELF_SIGNED_CERT'), 'Its certificate is not trusted. Set NODE_EXTRA_CA_CERTS=<file>'],
  [met('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'Its certificate is not trusted.'],
  [met('ERR_TLS_CERT_ALTNAME_INVALID'), 'Its certificate is for another host name.'],
  [met('CERT_HAS_EXPIRED'), 'Its certificate has expired.'],
  [met('HPE_INVALID_CONSTANT'), 'Another program listens there.'],
  [timeout, 'it took too long. Is it busy, or is another program there?'],
  [
    { code: 'ECONNREFUSED', message: 'an error of another realm' },
    'another realm. Nothing is running there.',
  ],
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
