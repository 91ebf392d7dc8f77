import { connect, type Socket } from 'node:net'

/** The answer on a bare socket. */
export interface RawAnswer {
  /** Of the last answer that is no `100 Continue`; null if nothing came. */
  readonly status: number | null
  readonly head: string
  readonly body: string
  /** How many answers came. */
  readonly answers: number
  /** From the last byte sent to the first byte of the answer. */
  readonly ms: number
}

/** The bytes on the wire, in parts that are sent one after the other; a text has one byte per character. */
export type Wire = readonly (string | Buffer)[]

/** Sends bytes as they are and reads until as many answers have come, or the other side has closed.
 *  @param patienceMs after that long, what has come is all */
export function rawHttp(
  url: string,
  wire: Wire,
  { answers = 1, patienceMs = 5_000 }: { answers?: number; patienceMs?: number } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) })
    let text = ''
    let sentAt = performance.now()
    let ms = Number.NaN
    const done = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ ...lastAnswer(text), ms })
    }
    const timer = setTimeout(done, patienceMs)
    socket.setEncoding('latin1')
    socket.on('connect', () => {
      for (const part of wire) write(socket, part)
      sentAt = performance.now()
    })
    socket.on('data', (chunk) => {
      if (text === '') ms = performance.now() - sentAt
      text += chunk
      if (wholeAnswers(text).filter(({ status }) => status !== 100).length >= answers) done()
    })
    socket.on('error', () => undefined)
    socket.on('close', done)
  })
}

function write(socket: Socket, part: string | Buffer): void {
  if (typeof part === 'string') socket.write(part, 'latin1')
  else socket.write(part)
}

interface Parsed {
  readonly status: number
  readonly head: string
  readonly body: string
}

function lastAnswer(text: string): Omit<RawAnswer, 'ms'> {
  const all = wholeAnswers(text).filter(({ status }) => status !== 100)
  const last = all.at(-1)
  return { status: last?.status ?? null, head: last?.head ?? '', body: last?.body ?? '', answers: all.length }
}

/** The answers in a stream of bytes, as far as they are whole. */
function wholeAnswers(text: string): Parsed[] {
  const found: Parsed[] = []
  for (let at = 0; at < text.length; ) {
    const headEnd = text.indexOf('\r\n\r\n', at)
    if (headEnd === -1) break
    const head = text.slice(at, headEnd)
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1])
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
    const end = headEnd + 4 + length
    if (end > text.length) break
    found.push({ status, head, body: text.slice(headEnd + 4, end) })
    at = end
  }
  return found
}
