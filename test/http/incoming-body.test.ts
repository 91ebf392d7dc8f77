import { once } from 'node:events'
import { createServer, IncomingMessage, type ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { describe, expect, onTestFinished, test } from 'vitest'
import { EmulatorError } from '../../src/domain/text/errors.ts'
import { readBody, readText } from '../../src/http/body.ts'
import { paths } from '../support/client.ts'
import { startTestEmulator } from '../support/emulator.ts'
import { RawCall } from '../support/raw-call.ts'

/** Says when a piece of its body has come. */
class WatchedRequest extends IncomingMessage {
  override push(piece: Buffer | null): boolean {
    const goesOn = super.push(piece)
    this.emit('piece')
    return goesOn
  }
}

type Call = Context<{ Bindings: { incoming: WatchedRequest; outgoing: ServerResponse } }>

/** The result of reading a body of ten bytes at most: its text, or why there is none. */
const outcomeOf = (c: Context): Promise<string> =>
  readBody(c, 10).then(
    ({ text, utf8 }) => (utf8 ? text : `not UTF-8: ${text}`),
    (error) => (error instanceof EmulatorError ? error.code : String(error)),
  )

const answerOutcome = async (c: Call): Promise<Response> => c.text(`<${await outcomeOf(c)}>`)

const unread = async (c: Call): Promise<Response> => c.text('<unread>')

/** The results in all answers.
 *  @param text as it came over the wire, a character for each byte */
const outcomesIn = (text: string) =>
  [
    ...Buffer.from(text, 'latin1')
      .toString()
      .matchAll(/<(.*)>/g),
  ].map(([, outcome]) => outcome)

const head = (...lines: readonly string[]) =>
  ['POST / HTTP/1.1', 'host: localhost', ...lines, '', ''].join('\r\n')
const last = 'connection: close'
const chunked = 'transfer-encoding: chunked'
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

/** The event loop has gone round. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** A body that is too large. */
const eleven = chunk('0123456789a') + chunk('')

/** A server on the same two legs as the emulator's: Node's and Hono's. */
async function startServer(answer: (c: Call) => Promise<Response>): Promise<{ readonly url: string }> {
  const app = new Hono().all('*', (c: Call) => answer(c))
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  const server = createServer({ IncomingMessage: WatchedRequest }, listener)
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return { url: `http://127.0.0.1:${address.port}` }
}

/** Sends each piece once the one before has arrived. */
async function sendPieces(
  call: RawCall,
  incoming: WatchedRequest,
  pieces: readonly (string | Buffer)[],
): Promise<void> {
  for (const piece of pieces) {
    const arrived = once(incoming, 'piece')
    call.write(piece)
    await arrived
  }
}

const letter = Buffer.from('é')

describe('a body that comes over a connection', () => {
  test.each([
    ['ten bytes', `${head(last, 'content-length: 10')}0123456789`, '0123456789'],
    ['none, announced', head(last, 'content-length: 0'), ''],
    ['none, chunked', head(last, chunked) + chunk(''), ''],
    ['none, without a word', head(last), ''],
    ['chunks', head(last, chunked) + chunk('0123') + chunk('456789') + chunk(''), '0123456789'],
    ['eleven bytes', `${head(last, 'content-length: 11')}0123456789a`, 'too_large'],
    [
      'chunks of eleven bytes',
      head(last, chunked) + chunk('0123') + chunk('456789a') + chunk(''),
      'too_large',
    ],
    ['one chunk of eleven bytes', head(last, chunked) + eleven, 'too_large'],
  ])('a body of %s', async (_, request, outcome) => {
    const server = await startServer(answerOutcome)
    const { text } = await new RawCall(server, request).end()
    expect(outcomesIn(text)).toEqual([outcome])
  })

  test.each([
    ['with its length', head(last, 'content-length: 6'), ['ab', 'cd', 'ef'], 'abcdef'],
    ['in chunks', head(last, chunked), [chunk('ab'), chunk('cd'), chunk('ef') + chunk('')], 'abcdef'],
    [
      'cut within a letter',
      head(last, 'content-length: 2'),
      [letter.subarray(0, 1), letter.subarray(1)],
      'é',
    ],
    ['without half a letter', head(last, 'content-length: 2'), ['a', letter.subarray(0, 1)], 'not UTF-8: aÃ'],
    [
      'after leave was asked for',
      head(last, 'content-length: 4', 'expect: 100-continue'),
      ['ab', 'cd'],
      'abcd',
    ],
  ])('a body that comes late and in pieces, %s', async (_, request, pieces, outcome) => {
    expect(await outcomesOfPieces(request, pieces)).toEqual([outcome])
  })

  /** When all that has been sent with the head has come. */
  const begunToCome = async (incoming: WatchedRequest): Promise<void> => {
    await once(incoming, 'piece')
    await turn()
  }

  test.each([
    ['all of it', ['0123456789'], '0123456789'],
    ['a part of it', ['0123', '456789'], '0123456789'],
    ['a part of it, and the rest comes in pieces', ['0123', '45', '67', '89'], '0123456789'],
  ])('a body of which %s has come before anybody asks for it', async (_, [first, ...later], outcome) => {
    const asked = Promise.withResolvers<WatchedRequest>()
    const server = await startServer(async (c) => {
      await begunToCome(c.env.incoming)
      const answer = answerOutcome(c)
      asked.resolve(c.env.incoming)
      return answer
    })
    const call = new RawCall(server, `${head(last, 'content-length: 10')}${first}`)
    await sendPieces(call, await asked.promise, later)
    expect(outcomesIn((await call.end()).text)).toEqual([outcome])
  })

  test.each([
    ['asked for at once', (c: Call) => outcomeOf(c)],
    ['asked for late', (c: Call) => begunToCome(c.env.incoming).then(() => outcomeOf(c))],
  ])('what comes of a body once it is too large is left in the stream: %s', async (_, read) => {
    const refused = Promise.withResolvers<void>()
    const server = await startServer(async (c) => {
      const outcome = await read(c)
      refused.resolve()
      c.env.incoming.resume()
      const [rest] = await once(c.env.incoming, 'data')
      return c.text(`<${outcome}, ${rest}>`)
    })
    const call = new RawCall(server, head(last, chunked) + chunk('0123456789a'))
    await refused.promise
    call.write(chunk('bc') + chunk(''))
    expect(outcomesIn((await call.end()).text)).toEqual(['too_large, bc'])
  })

  test.each([
    ['with its length', 'content-length: 2', '{}'],
    ['in chunks', chunked, chunk('{}') + chunk('')],
    ['that is empty', chunked, chunk('')],
    ['as long as allowed', 'content-length: 10', '0123456789'],
  ])('once a body has been read, its stream is over: %s', async (_, line, body) => {
    const server = await startServer(async (c) => {
      await outcomeOf(c)
      await turn()
      const { readableEnded, destroyed, aborted } = c.env.incoming
      return c.text(`<${JSON.stringify({ readableEnded, destroyed, aborted })}>`)
    })
    const { text } = await new RawCall(server, head(last, line) + body).end()
    const over = JSON.stringify({ readableEnded: true, destroyed: true, aborted: false })
    expect(outcomesIn(text)).toEqual([over])
  })

  test.each([
    ['leaves', 'content-length: 9', '{"a"', (call: RawCall) => call.leave()],
    ['leaves between chunks', chunked, chunk('{"a"'), (call: RawCall) => call.leave()],
    ['resets the connection', 'content-length: 9', '{"a"', (call: RawCall) => call.reset()],
    ['resets it between chunks', chunked, chunk('{"a"'), (call: RawCall) => call.reset()],
  ])('a body whose caller %s before its end is cut', async (_, line, begin, go) => {
    const begun = Promise.withResolvers<WatchedRequest>()
    const outcome = Promise.withResolvers<string>()
    const server = await startServer(async (c) => {
      const reading = outcomeOf(c)
      begun.resolve(c.env.incoming)
      outcome.resolve(await reading)
      return c.body(null)
    })
    const call = new RawCall(server, head(line))
    const arrived = once(await begun.promise, 'piece')
    call.write(begin)
    await arrived
    go(call)
    expect(await outcome.promise).toBe('body_cut')
  })

  test('a body that came whole is read though its caller has gone meanwhile', async () => {
    const begun = Promise.withResolvers<void>()
    const outcome = Promise.withResolvers<string>()
    const server = await startServer(async (c) => {
      begun.resolve()
      await once(c.env.outgoing, 'close')
      outcome.resolve(await outcomeOf(c))
      return c.body(null)
    })
    const call = new RawCall(server, `${head('content-length: 2')}{}`)
    await begun.promise
    call.reset()
    expect(await outcome.promise).toBe('{}')
  })

  test.each([
    ['that was read', 'content-length: 2', '{}', ['{}', 'body_cut', '']],
    ['that is empty', 'content-length: 0', '', ['', '', '']],
    [
      'announced as too large',
      'content-length: 11',
      '0123456789a',
      ['too_large', 'too_large', '0123456789a'],
    ],
    ['too large, in chunks', chunked, eleven, ['too_large', 'body_cut', '']],
  ])('of a body %s a second reading finds what is left', async (_, line, body, found) => {
    const server = await startServer(async (c) =>
      c.text(`<${JSON.stringify([await outcomeOf(c), await outcomeOf(c), await readText(c)])}>`),
    )
    const { text } = await new RawCall(server, head(last, line) + body).end()
    expect(outcomesIn(text)).toEqual([JSON.stringify(found)])
  })

  test.each([
    ['was not read', 'content-length: 11', '0123456789a', unread, 'unread'],
    ['was not read, in chunks', chunked, eleven, unread, 'unread'],
    ['was announced as too large', 'content-length: 11', '0123456789a', answerOutcome, 'too_large'],
    ['was too large, in chunks', chunked, eleven, answerOutcome, 'too_large'],
  ])('a connection is good for the next call after a body that %s', async (_, line, body, answer, first) => {
    const server = await startServer((c) => (c.req.path === '/next' ? answerOutcome(c) : answer(c)))
    const call = new RawCall(server, head(line) + body)
    await call.answered
    call.write(`${head(last, 'content-length: 2').replace('/', '/next')}{}`)
    expect(outcomesIn((await call.end()).text)).toEqual([first, '{}'])
  })

  test('a connection is good for the next call after a body that comes only once it has been refused', async () => {
    const server = await startServer((c) => (c.req.path === '/next' ? answerOutcome(c) : unread(c)))
    const call = new RawCall(server, head(chunked))
    await call.answered
    call.write(`${eleven}${head(last, 'content-length: 2').replace('/', '/next')}{}`)
    expect(outcomesIn((await call.end()).text)).toEqual(['unread', '{}'])
  })

  test('a body that was too large and never ends does not keep its connection', async () => {
    const server = await startServer(answerOutcome)
    const call = new RawCall(server, head(chunked) + chunk('0123456789a'))
    const { ending, text } = await call.end()
    expect([ending, ...outcomesIn(text)]).toEqual(['end', 'too_large'])
  })

  /** All outcomes that a body is answered with that comes piece by piece. */
  async function outcomesOfPieces(request: string, pieces: readonly (string | Buffer)[]) {
    const begun = Promise.withResolvers<WatchedRequest>()
    const server = await startServer((c) => {
      const answer = answerOutcome(c)
      begun.resolve(c.env.incoming)
      return answer
    })
    const call = new RawCall(server, request)
    await sendPieces(call, await begun.promise, pieces)
    return outcomesIn((await call.end()).text)
  }
})

test('a call whose caller crashes before the end of its body stands in the journal', async () => {
  const emulator = await startTestEmulator()
  const lines = ['content-type: application/json', 'content-length: 100', 'expect: 100-continue']
  const call = new RawCall(emulator, head(...lines).replace('/', paths.checkout))
  await call.answered
  call.reset()
  const where = { path: paths.checkout }
  const { json } = await emulator.control('/wait', 'POST', { for: 'request', where })
  expect(json).toMatchObject({ status: 400, diagnosis: { cause: 'body.cut' } })
})

test.each([
  ['a text', '{}', '{}'],
  ['nothing', null, ''],
  ['a text too large', '0123456789a', 'too_large'],
  ['bytes that are not UTF-8', new Uint8Array([0x61, 0xc3]), 'not UTF-8: aÃ'],
  ['a stream', new Blob(['0123', '4567']).stream(), '01234567'],
])('a body that comes without a connection: %s', async (_, body, outcome) => {
  const app = new Hono().post('/', async (c) => c.text(await outcomeOf(c)))
  const request = new Request('http://localhost/', { method: 'POST', body, duplex: 'half' })
  expect(await (await app.fetch(request)).text()).toBe(outcome)
})
