import { expect, test } from 'vitest'
import {
  connectionAdvice,
  type FailedConnection,
  places,
  withoutConnectionAdvice,
} from '../../../src/domain/webhook/connection-advice.ts'

const failed = (code: string, host: string, address?: string): FailedConnection => ({ code, host, address })
const refused = (host: string, address: string = host) => failed('ECONNREFUSED', host, address)

test.each([
  ['localhost', '127.0.0.1'],
  ['localhost', '::1'],
  ['LOCALHOST', undefined],
  ['shop.localhost', '127.0.0.1'],
  ['127.0.0.1', '127.0.0.1'],
  ['127.8.0.1', '127.8.0.1'],
  ['::1', '::1'],
  ['0.0.0.0', '0.0.0.0'],
  ['::', '::'],
  ['shop.test', '127.0.0.1'],
])('%s at %s refused: a container says what that is there, a pod too', (host, address) => {
  const connection = failed('ECONNREFUSED', host, address)
  expect(connectionAdvice(connection, 'container')).toContain('host.docker.internal')
  expect(connectionAdvice(connection, 'pod')).toContain('the name of its Service')
})

test('a pod is told nothing of what Docker has and Kubernetes has not', () => {
  expect(connectionAdvice(refused('127.0.0.1'), 'pod')).not.toMatch(/docker|add-host/)
})

test('on a machine of its own, a refused localhost is just nobody listening', () => {
  expect(connectionAdvice(refused('127.0.0.1'), 'machine')).toBeNull()
})

test.each([
  ['another container', refused('app', '172.18.0.3')],
  ['another machine', refused('10.0.0.5')],
  ['a name that only begins like localhost', refused('localhost.test', '10.0.0.5')],
  ['a name that resolves to elsewhere, though it is called localhost', refused('my-localhost', '10.0.0.5')],
  ['an address with 127 elsewhere in it', refused('10.127.0.0')],
  ['an IPv6 address that ends in ::1', refused('fd00::1')],
  ['a connection that was reset', failed('ECONNRESET', '127.0.0.1', '127.0.0.1')],
  ['a connection that timed out', failed('UND_ERR_CONNECT_TIMEOUT', '127.0.0.1', undefined)],
  ['a name that nobody knows', failed('ENOTFOUND', 'shop.test', undefined)],
  ['a certificate for another name', failed('ERR_TLS_CERT_ALTNAME_INVALID', 'shop.test', undefined)],
  ['a certificate that is too old', failed('CERT_HAS_EXPIRED', 'shop.test', undefined)],
  ['an error without a code', failed('', '127.0.0.1', undefined)],
])('%s: nothing is said, wherever the emulator runs', (_, connection) => {
  expect(places.map((place) => connectionAdvice(connection, place))).toEqual([null, null, null])
})

test.each(['ENOTFOUND', 'EAI_AGAIN'])(
  '%s of the name of the container’s host: how it is made known',
  (code) => {
    expect(connectionAdvice(failed(code, 'host.docker.internal'), 'container')).toContain(
      '--add-host host.docker.internal:host-gateway',
    )
    expect(connectionAdvice(failed(code, 'Host.Containers.Internal'), 'container')).toContain('--add-host')
  },
)

test('a name that only Testcontainers knows is told with the call that makes it known', () => {
  expect(connectionAdvice(failed('ENOTFOUND', 'host.testcontainers.internal'), 'container')).toContain(
    'exposeHostPorts',
  )
  expect(connectionAdvice(refused('host.testcontainers.internal', '172.17.0.2'), 'container')).toBeNull()
})

test('where no container is, the name of its host is not made known but replaced', () => {
  const unknown = failed('ENOTFOUND', 'host.docker.internal')
  expect(connectionAdvice(unknown, 'machine')).toMatch(/write 127\.0\.0\.1$/)
  expect(connectionAdvice(unknown, 'pod')).toMatch(/use localhost for an application in the same pod/)
})

test('a host that refuses a container is asked whether it listens for more than itself', () => {
  const connection = refused('host.docker.internal', '172.17.0.1')
  expect(connectionAdvice(connection, 'container')).toContain('0.0.0.0')
  expect(connectionAdvice(connection, 'machine')).toBeNull()
})

test.each(['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'])(
  '%s: how to trust the authority, wherever the emulator runs',
  (code) => {
    for (const place of places)
      expect(connectionAdvice(failed(code, 'localhost'), place)).toContain('NODE_EXTRA_CA_CERTS')
  },
)

test.each([
  refused('127.0.0.1'),
  refused('host.docker.internal', '172.17.0.1'),
  failed('ENOTFOUND', 'host.docker.internal'),
  failed('ENOTFOUND', 'host.testcontainers.internal'),
  failed('SELF_SIGNED_CERT_IN_CHAIN', 'shop.test'),
])('of %j the advice can be left out, wherever the emulator runs', (connection) => {
  const advice = places.flatMap((place) => connectionAdvice(connection, place) ?? [])
  expect(advice.length).toBeGreaterThan(0)
  for (const each of advice)
    expect(withoutConnectionAdvice(`not answered (no; ${each}) after 2 ms`)).toBe(
      'not answered (no) after 2 ms',
    )
})
