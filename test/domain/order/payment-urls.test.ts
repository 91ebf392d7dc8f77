import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isCallbackUrl, returnUrl } from '../../../src/domain/order/payment-urls.ts'
import { isUrl } from '../../../src/domain/text/urls.ts'

const order = { requestId: 'r1', orderId: 'o1', orderStatus: 'COMPLETED' }
const data = Buffer.from('{"requestId":"r1","orderId":"o1","orderStatus":"COMPLETED"}').toString('base64url')
const back = (callbackUrl: string | undefined) => returnUrl({ ...order, request: { callbackUrl } })

test.each([
  ['https://shop.test/back', `https://shop.test/back?data=${data}`],
  ['https://shop.test/back?x=1', `https://shop.test/back?x=1&data=${data}`],
  ['https://shop.test/back?x=1&', `https://shop.test/back?x=1&data=${data}`],
  ['https://shop.test/back?', `https://shop.test/back?data=${data}`],
  ['https://shop.test', `https://shop.test?data=${data}`],
  ["https://shop.test/a b?x='q'", `https://shop.test/a%20b?x='q'&data=${data}`],
  ['HTTPS://SHOP.test/../a/%2e%2e/b', `HTTPS://SHOP.test/../a/%2e%2e/b?data=${data}`],
  ['https://shop.test/\ud800', `https://shop.test/%EF%BF%BD?data=${data}`],
  ['https://shop.test/back#part?', `https://shop.test/back?data=${data}#part?`],
  ['https://shop.test/back?a=%2B+b&a=2#part', `https://shop.test/back?a=%2B+b&a=2&data=${data}#part`],
  ['https://shop.test/back?data=mine', `https://shop.test/back?data=mine&data=${data}`],
  ['https://shop.test/zurück?ü', `https://shop.test/zur%C3%BCck?%C3%BC&data=${data}`],
  ['https://bücher.test/', `https://xn--bcher-kva.test/?data=${data}`],
  ['myshop://paid', `myshop://paid?data=${data}`],
  ['myshop:paid?x=1', `myshop:paid?x=1&data=${data}`],
])('the payer goes from %s to %s (R41, N55)', (callbackUrl, there) => {
  expect(back(callbackUrl)).toBe(there)
})

test.each([
  undefined,
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'blob:https://shop.test/1',
  'file:///etc/passwd',
  'view-source:https://shop.test',
  'feed:javascript:alert(1)',
  'jar:https://shop.test/a.jar!/b',
  'chrome://settings',
  '//evil.test',
  '/back',
  'back',
  'https:evil.test',
  'https:///evil.test',
  'https:\\\\evil.test',
  'https://shop.test/\r\nset-cookie: a=b',
  'https://shop.test/\u0000',
  'https://',
  'https://shop.test:99999/back',
  'https://shop test/back',
  'https://shop.test /back',
  'https://[::1/back',
  'myshop',
])('nobody is sent to %j', (callbackUrl) => {
  expect(back(callbackUrl)).toBeNull()
})

test('what `data` says is text that survives any name', () => {
  const request = { callbackUrl: 'https://shop.test/' }
  const url = returnUrl({ ...order, requestId: 'ü&=#"\u{1f600}', request })
  const sent = new URL(url ?? '').searchParams.get('data') ?? ''
  expect(JSON.parse(Buffer.from(sent, 'base64url').toString())).toMatchObject({ requestId: 'ü&=#"\u{1f600}' })
})

test('of web addresses those are taken that can be parsed and have a host, whatever they consist of', () => {
  const part = fc.constantFrom(
    'a',
    '.b',
    '1',
    ' ',
    ':',
    ':80',
    '@',
    '/',
    '?',
    '#',
    '\\',
    '[::1]',
    '[',
    '%',
    '%41',
    'ü',
    'é ',
  )
  fc.assert(
    fc.property(
      fc.constantFrom('http://', 'HTTPS://', 'https:/', 'http:'),
      fc.array(part),
      (scheme, parts) => {
        const url = scheme + parts.join('')
        const hasHost = /^https?:\/\/[^/?#\\]/i.test(url)
        expect([url, isCallbackUrl(url)]).toEqual([url, hasHost && isUrl(url)])
      },
    ),
    { numRuns: 2_000 },
  )
})
