import { EmulatorUnreachable } from './errors.ts'

/** Stands before the ways to an emulator, and lets nothing through once the emulator has been closed. */
export class ClosedGuard {
  #closed = false

  close(): void {
    this.#closed = true
  }

  /** The same way, behind the gate. @throws EmulatorUnreachable after the end */
  before(transport: Transport): Transport {
    return {
      send: async (request) => {
        this.#pass(request)
        return await transport.send(request)
      },
      open: async (request) => {
        this.#pass(request)
        const reply = await transport.open(request)
        return { ...reply, texts: this.#untilClosed(reply.texts) }
      },
    }
  }

  /** What is being read when the emulator is closed ends there. */
  async *#untilClosed(texts: AsyncIterable<string>): AsyncGenerator<string> {
    try {
      yield* texts
    } catch (error) {
      if (!this.#closed) throw error
    }
  }

  #pass({ method, path }: Sent): void {
    if (!this.#closed) return
    const call = `${method} ${path.replace(/\?.*/, '')}`
    throw new EmulatorUnreachable(`${call} was called after emulator.close(): is an \`await\` missing?`)
  }
}

/** Says in words why no answer came, and what to do about it.
 *  @param error what the connection met */
export function unreachable(url: string, { method, path }: Sent, error: unknown): EmulatorUnreachable {
  const call = `${method} ${path.replace(/\?.*/, '')}`
  const words = `No answer from the emulator at ${url} to ${call}: ${reasonOf(error, new URL(url))}`
  return new EmulatorUnreachable(words, { cause: error })
}

/** What to do about what a connection meets, by its code. */
const advice: Readonly<Record<string, (url: URL) => string>> = {
  ECONNREFUSED: () => 'Nothing is running there. Start it with `npx payment-order-emulator`.',
  ENOTFOUND: ({ hostname }) => `The host name ${hostname} is unknown.`,
  EAI_AGAIN: ({ hostname }) => `The host name ${hostname} is unknown.`,
  ECONNRESET: () => 'The connection was closed. Was the emulator stopped?',
  UND_ERR_SOCKET: () => 'The connection was closed. Was the emulator stopped?',
  ERR_SSL_WRONG_VERSION_NUMBER: () => 'The server does not speak TLS: use http:// instead of https://.',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: () => 'The server does not speak TLS: use http:// instead of https://.',
  EPROTO: () => 'The server does not speak TLS: use http:// instead of https://.',
  ERR_TLS_CERT_ALTNAME_INVALID: () => 'Its certificate is for another host name.',
  CERT_HAS_EXPIRED: () => 'Its certificate has expired.',
}

const notTrusted =
  'Its certificate is not trusted. Set NODE_EXTRA_CA_CERTS=<file> to trust your own certificate authority.'
const notHttp = 'Another program listens there.'

/** In Jest, what Node throws is no `Error` of the test's: it is known by its members. */
function reasonOf(error: unknown, url: URL): string {
  if (typeof error !== 'object' || error === null || !('message' in error)) return String(error)
  // Of several addresses of one name, the first tells it.
  if ('errors' in error && Array.isArray(error.errors)) return reasonOf(error.errors[0], url)
  const message = String(error.message)
  if ('name' in error && error.name === 'TimeoutError')
    return 'it took too long. Is it busy, or is another program there?'
  const code = 'code' in error ? String(error.code) : ''
  // Its message speaks of a client, and means none of ours.
  if (code === 'UND_ERR_DESTROYED') return 'emulator.close() was called before: is an `await` missing?'
  const advised = advice[code]?.(url) ?? adviceByKind(code, message)
  return advised === '' ? message : `${message}. ${advised}`
}

function adviceByKind(code: string, message: string): string {
  if (code.startsWith('HPE_') || /HTTP\/1\.1 protocol/.test(message)) return notHttp
  return /CERT|SELF_SIGNED|VERIFY/.test(code) || /certificate/.test(message) ? notTrusted : ''
}

/** A request as it goes to the emulator. */
export interface Sent {
  readonly method: string
  /** With the query; begins with a slash. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** Wall milliseconds after which no answer is waited for any more; 30,000 if left out. */
  readonly withinMs?: number | undefined
}

const usualMs = 30_000
/** The longest that a timer takes: some 24 days. */
const longestMs = 2 ** 31 - 1

/** How long an answer is waited for, in what timers take; whether what was asked for makes sense is for the emulator
 *  to say. */
export const patienceMs = ({ withinMs = usualMs }: Sent): number =>
  Number.isNaN(withinMs) ? usualMs : Math.ceil(Math.min(Math.max(withinMs, 1), longestMs))

/** An answer of the service. */
export interface Reply {
  /** The HTTP status. */
  readonly status: number
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The body. */
  readonly text: string
}

/** An answer that is read as it comes. */
export interface OpenReply {
  readonly status: number
  /** Names in small letters. */
  readonly headers: Reply['headers']
  /** Its body, piece by piece. */
  readonly texts: AsyncIterable<string>
  /** Ends it, however much is still to come. */
  close(): void
}

/** A way to an emulator: over HTTP, or straight into one in this process. */
export interface Transport {
  /** Sends a request and reads the whole answer, whatever its status.
   *  @throws EmulatorUnreachable if there is none */
  send(request: Sent): Promise<Reply>
  /** Sends a request and answers as soon as the answer begins.
   *  @throws EmulatorUnreachable if there is none */
  open(request: Sent): Promise<OpenReply>
}
