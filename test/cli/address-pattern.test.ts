import { isIPv6 } from 'node:net'
import { cachedDataVersionTag } from 'node:v8'
import { expect, test } from 'vitest'
import { compileAddressPattern } from '../../src/cli/serve/address-pattern.ts'

test('V8 has the flags from before, so that what it has compiled is kept for the next start', () => {
  const before = cachedDataVersionTag()
  compileAddressPattern()
  expect(cachedDataVersionTag()).toBe(before)
})

test.each([
  ['::', true],
  ['fe80::1%eth0', true],
  ['2001:db8::192.0.2.1', true],
  ['127.0.0.1', false],
  ['1:2:3:4:5:6:7:8:9', false],
  ['localhost', false],
])('of %j Node says as before whether it is an IPv6 address', (text, expected) => {
  compileAddressPattern()
  expect(isIPv6(text)).toBe(expected)
})
