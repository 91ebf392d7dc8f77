import { expect, test } from 'vitest'
import { connectionWords } from '../../../src/domain/webhook/connection-advice.ts'

/** An error as Node makes it. */
const nodeError = (message: string, members: object) => Object.assign(new Error(message), members)

test('a name with several addresses that all refuse is told once, by the first', () => {
  const refused = (address: string) =>
    nodeError(`connect ECONNREFUSED ${address}:3000`, { code: 'ECONNREFUSED', address })
  const error = nodeError('', { code: 'ECONNREFUSED' })
  const all = Object.assign(new AggregateError([refused('::1'), refused('127.0.0.1')]), error)
  expect(connectionWords(all, 'localhost', 'machine')).toBe('connect ECONNREFUSED ::1:3000')
  expect(connectionWords(all, 'localhost', 'container')).toMatch(
    /^connect ECONNREFUSED ::1:3000; the emulator/,
  )
})

test('an address in brackets, as URLs have it, is an address', () => {
  const error = nodeError('connect ECONNREFUSED', { code: 'ECONNREFUSED' })
  expect(connectionWords(error, '[::1]', 'container')).toContain('host.docker.internal')
})

test('a host.docker.internal that does not resolve is told with how it would', () => {
  const error = nodeError('getaddrinfo ENOTFOUND host.docker.internal', { code: 'ENOTFOUND' })
  expect(connectionWords(error, 'host.docker.internal', 'container')).toMatch(/ENOTFOUND .+; .+--add-host/)
})

test('an error with a code and no words is told by its code, one with neither stays empty', () => {
  expect(connectionWords(nodeError('', { code: 'EPIPE' }), 'shop.test', 'container')).toBe('EPIPE')
  expect(connectionWords(nodeError('', {}), 'shop.test', 'container')).toBe('')
})
