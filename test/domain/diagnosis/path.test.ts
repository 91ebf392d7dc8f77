import { expect, test } from 'vitest'
import { diagnosePath } from '../../../src/domain/diagnosis/path.ts'

const orders = '/v1/client/orders'
const create = '/v1/client/checkout/create-order'
const served = [create, '/v1/client/subscription/create-order', orders, '/v1/client/webhook-url']
const unserved = ['/v1/client/fiat/webhook-url']

test.each([
  [`${orders}/`, 'path.trailing-slash', orders],
  [`/${orders}`, 'path.doubled-slash', orders],
  ['/v1//client/orders', 'path.doubled-slash', orders],
  ['/v1/client/orders//', 'path.doubled-slash', orders],
  ['/client/orders', 'path.version', orders],
  ['/v1/v1/client/orders', 'path.version', orders],
  ['/v2/client/orders', 'path.version', orders],
  ['/api/v1/client/orders', 'path.prefix', orders],
  ['/payments/client/checkout/create-order', 'path.prefix', create],
  ['/V1/Client/Orders', 'path.letter-case', orders],
  ['/v1/client/Orders/', 'path.trailing-slash', orders],
  ['/v1%2Fclient%2Forders', 'path.encoded', orders],
  ['/v1/client/orders%20', 'path.encoded', orders],
  ['/v1/client/orders/r1', 'path.parameter', orders],
  ['/v1/client/fiat/webhook-url', 'path.not-served', 'paths.webhookUrl'],
  ['/v1/client/order', 'path.unknown', orders],
  ['/v1/client/checkout/create-orders', 'path.unknown', create],
  ['/', 'path.unknown', 'no similar path'],
  ['/%E0%A4%A', 'path.unknown', 'no similar path'],
  ['/v1/orders', 'path.unknown', ''],
  [`/${'a/'.repeat(10_000)}`, 'path.unknown', ''],
])('%s is %s', (path, cause, words) => {
  expect(diagnosePath(path, served, unserved)).toEqual({ cause, words: expect.stringContaining(words) })
})
