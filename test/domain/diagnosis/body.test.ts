import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { diagnoseBody, diagnoseContentType } from '../../../src/domain/diagnosis/body.ts'
import { parseObject } from '../../../src/http/body.ts'
import { processorMs } from '../../support/processor-ms.ts'

const json = '{"requestId":"r1","fiatAmount":"10.00"}'

/** The diagnosis of bytes, sent as `application/json` by default. */
function causeOf(bytes: Buffer, contentType = 'application/json') {
  const text = bytes.toString('utf8')
  const utf8 = Buffer.from(text).equals(bytes)
  const body = { text: utf8 ? text : bytes.toString('latin1'), utf8 }
  const parsed = parseObject(body)
  if ('value' in parsed) throw new Error('the body is right')
  return diagnoseBody({ ...body, contentType, problem: parsed.problem }).cause
}

test.each([
  ['', 'body.empty'],
  [' \r\n', 'body.empty'],
  [`\ufeff${json}`, 'body.byte-order-mark'],
  ['requestId=r1&fiatAmount=10.00', 'body.form-encoded'],
  ['billingData%5Bcity%5D=Riga&requestId=r1', 'body.form-encoded'],
  ['--x\r\nContent-Disposition: form-data; name="requestId"\r\n\r\nr1\r\n--x--\r\n', 'body.multipart'],
  ['<order><requestId>r1</requestId></order>', 'body.xml'],
  [JSON.stringify(json), 'body.json-in-string'],
  [Buffer.from(json).toString('base64'), 'body.base64'],
  [`[${json}]`, 'body.not-an-object'],
  ['"r1"', 'body.not-an-object'],
  ['7', 'body.not-an-object'],
  ['null', 'body.placeholder'],
  ['[object Object]', 'body.placeholder'],
  ['undefined', 'body.placeholder'],
  ['{"requestId":"r1",}', 'body.trailing-comma'],
  ['{"a":[1,2, ]}', 'body.trailing-comma'],
  ["{'requestId':'r1'}", 'body.quotes'],
  ['{requestId:"r1"}', 'body.quotes'],
  ['{“requestId”:“r1”}', 'body.quotes'],
  ['{"a":NaN}', 'body.literals'],
  ['{"a":None,"b":True}', 'body.literals'],
  ['{"a":undefined}', 'body.literals'],
  ['{"a":1} // one', 'body.comments'],
  ['{"a":/* one */1}', 'body.comments'],
  ['{"a":"one\ntwo"}', 'body.line-end-in-text'],
  ['{"a":"one', 'body.incomplete'],
  ['{"a":{"b":1}', 'body.incomplete'],
  [`${json}${json}`, 'body.trailing-text'],
  [`${json};`, 'body.trailing-text'],
  [`${'{"a":'.repeat(70)}1${'}'.repeat(70)}`, 'body.too-deep'],
  [`{"a":[${'1,'.repeat(20_001)}1]}`, 'body.too-many-values'],
])('%j is %s', (text, cause) => {
  expect(causeOf(Buffer.from(text))).toBe(cause)
})

describe('bytes', () => {
  test.each([
    ['gzip', gzipSync(json), 'body.compressed'],
    ['UTF-16 with a mark', Buffer.from(`\ufeff${json}`, 'utf16le'), 'body.utf-16'],
    ['UTF-16 without', Buffer.from(json, 'utf16le'), 'body.utf-16'],
    ['UTF-16, big end first', Buffer.from(`\ufeff${json}`, 'utf16le').swap16(), 'body.utf-16'],
    ['Latin-1', Buffer.from('{"requestId":"zamówienie"}', 'latin1'), 'body.not-utf-8'],
  ])('%s', (_, bytes, cause) => {
    expect(causeOf(bytes)).toBe(cause)
  })
})

test.each([
  ['{"a":"x,}"', 'body.incomplete', 'the comma stands in a text'],
  ['{"a":"https://x.example"', 'body.incomplete', 'the slashes stand in a text'],
  ['{"a":"NaN" "b":1}', 'body.syntax', 'the word stands in a text'],
  ['{"a":"it\'s" "b":1}', 'body.syntax', 'the quote stands in a text'],
  ['{"requestId"=r1}', 'body.syntax', 'a brace begins no form'],
  ['hello', 'body.syntax', 'nothing is known of it'],
  ['a=1 b', 'body.syntax', 'a form has no spaces'],
])('%j is %s: %s', (text, cause) => {
  expect(causeOf(Buffer.from(text))).toBe(cause)
})

test.each([
  ['multipart/form-data; boundary=x', '--x', 'body.multipart', 'multipart'],
  ['application/x-www-form-urlencoded', 'requestId=r1', 'body.form-encoded', 'form-encoded'],
  ['application/x-www-form-urlencoded', json, 'body.content-type', 'the body is JSON'],
  ['text/plain', json, 'body.content-type', 'the body is JSON'],
  [undefined, json, 'body.content-type', 'there is none (the body is JSON'],
  ['text/json', 'hello', 'body.content-type', 'the body is not a JSON'],
])('the Content-Type %j before %j is %s', (type, text, cause, words) => {
  expect(diagnoseContentType(type, text)).toEqual({ cause, words: expect.stringContaining(words) })
})

test('a Content-Encoding is body.compressed, whatever the body is', () => {
  const cause = (encoding: string) => diagnoseContentType('application/json', json, encoding).cause
  expect(['gzip', 'br', ' GZIP '].map(cause)).toEqual(Array(3).fill('body.compressed'))
  expect(['identity', 'UTF-8', ''].map(cause)).toEqual(Array(3).fill('body.content-type'))
})

test.each([
  ['quotes', '"'.repeat(1_000_001)],
  ['commas and spaces', `{${', '.repeat(400_000)}`],
  ['backslashes', `{"${'\\'.repeat(1_000_000)}`],
  ['brackets', '['.repeat(1_000_000)],
  ['line ends', `{${'\n'.repeat(1_000_000)}`],
  ['words', `{${'a'.repeat(1_000_000)}`],
  ['equals signs', '='.repeat(1_000_000)],
])('a megabyte of %s is looked at in bounded time', (_, text) => {
  const unknown = { contentType: undefined }
  const diagnose = () => diagnoseBody({ text, utf8: true, ...unknown, problem: 'is not JSON' })
  expect(processorMs(diagnose)).toBeLessThan(100)
})
