import { expect, test } from 'vitest'
import { hasPortZero, refusedUrl } from '../../../src/domain/text/urls.ts'

test.each([
  ['localhost:3000', ', not "localhost:3000"; did you mean `http://localhost:3000`?'],
  ['localhost', ', not "localhost"; did you mean `http://localhost`?'],
  ['127.0.0.1:3000/hook', ', not "127.0.0.1:3000/hook"; did you mean `http://127.0.0.1:3000/hook`?'],
  ['app:8080/hook', ', not "app:8080/hook"; did you mean `http://app:8080/hook`?'],
  ['shop.example.com', ', not "shop.example.com"; did you mean `http://shop.example.com`?'],
])('%s lacks its scheme: %s', (text, words) => {
  expect(refusedUrl(text)).toBe(words)
})

test.each([
  ['ftp://x/y', ', not "ftp://x/y"'],
  ['javascript:alert(1)', ', not "javascript:alert(1)"'],
  ['mailto:a', ', not "mailto:a"'],
  ['/hook', ', not "/hook"'],
  ['', ', not ""'],
  ['http://a\nb', ', not "http://a\\nb"'],
  [`http://${'x'.repeat(100)}`, `, not "http://${'x'.repeat(51)}…`],
  [7, ', not 7'],
])('%j is shown without a guess: %s', (text, words) => {
  expect(refusedUrl(text)).toBe(words)
})

test.each([
  'http://user:hush@example.com/#x',
  'http://hush@example.com',
  'http://user:hu@sh@example.com',
  'user:hush@localhost:3000',
  '//user:hush@host/',
  'http://example.com/?token=hush#x',
  'localhost:3000/?hush',
])('of %s no secret is shown', (text) => {
  expect(refusedUrl(text)).not.toMatch(/hu@?sh/)
  expect(refusedUrl(text)).toContain('***')
})

test.each([
  ['http://127.0.0.1:0/', true],
  ['http://127.0.0.1:00', true],
  ['http://[::1]:0', true],
  ['http://127.0.0.1:10/', false],
  ['http://127.0.0.1/0', false],
  ['nonsense', false],
])('%s has port 0: %s', (url, expected) => {
  expect(hasPortZero(url)).toBe(expected)
})
