import { expect, test } from 'vitest'
import { AnswerReader } from '../../bench/load/answer-reader.ts'
import { sharesOf } from '../../bench/load/generators.ts'
import { hello } from '../../bench/load/requests.ts'

const load = { shape: hello, port: 1, connections: 64, first: 100, count: 1_001 }

test('shares of a load have together what the load has, and no number twice', () => {
  const [first, second] = sharesOf(load, 2)
  expect(first).toMatchObject({ connections: 32, first: 100, count: 500 })
  expect(second).toMatchObject({ connections: 32, first: 600, count: 501 })
})

test('what is asked again and again is shared out too', () => {
  const [first, second] = sharesOf({ ...load, different: 10 }, 2)
  expect(first).toMatchObject({ first: 100, different: 5 })
  expect(second).toMatchObject({ first: 105, different: 5 })
})

const ends = (...chunks: string[]) => {
  const reader = new AnswerReader()
  return chunks.map((chunk) => reader.ends(Buffer.from(chunk)))
}

test.each([
  [
    ['HTTP/1.1 200 OK\r\ncontent-le', 'ngth: 4\r\n\r\nab', 'cd'],
    [false, false, true],
  ],
  [['HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n'], [true]],
  [
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab', '\r\n0\r\n\r\n'],
    [false, true],
  ],
])('%j is complete after each piece: %j', (chunks, expected) => {
  expect(ends(...chunks)).toEqual(expected)
})

test('an answer of another status ends the load', () => {
  expect(() => ends('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n')).toThrow('404 Not Found')
})
