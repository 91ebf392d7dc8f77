import { EmulatorUnreachable } from './errors.ts'

/** Rejects calls after the emulator has been closed. */
export class ClosedGuard {
  #closed = false

  close(): void {
    this.#closed = true
  }

  /** Wraps a transport, whose calls then throw EmulatorUnreachable after `close`. */
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

  /** Ends a stream without an error if the emulator was closed while the stream was read. */
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

/** Explains why no answer came, with advice.
 *  @param error the error of the connection */
export function unreachable(url: string, { method, path }: Sent, error: unknown): EmulatorUnreachable {
  const call = `${method} ${path.replace(/\?.*/, '')}`
  const words = `No answer from the emulator at ${url} to ${call}: ${reasonOf(error, new URL(url))}`
  return new EmulatorUnreachable(words, { cause: error })
}

/** Advice about connection errors, by Node's error code. */
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

/** Explains a connection error. Errors are recognised by their fields, because in Jest Node's errors are of another
 *  class. */
function reasonOf(error: unknown, url: URL): string {
  if (typeof error !== 'object' || error === null || !('message' in error)) return String(error)
  // If a host name has several addresses, the first error is enough.
  if ('errors' in error && Array.isArray(error.errors)) return reasonOf(error.errors[0], url)
  const message = String(error.message)
  if ('name' in error && error.name === 'TimeoutError')
    return 'it took too long. Is it busy, or is another program there?'
  const code = 'code' in error ? String(error.code) : ''
  // undici's message mentions a client of its own, which would mislead.
  if (code === 'UND_ERR_DESTROYED') return 'emulator.close() was called before: is an `await` missing?'
  const advised = advice[code]?.(url) ?? adviceByKind(code, message)
  return advised === '' ? message : `${message}. ${advised}`
}

function adviceByKind(code: string, message: string): string {
  if (code.startsWith('HPE_') || /HTTP\/1\.1 protocol/.test(message)) return notHttp
  return /CERT|SELF_SIGNED|VERIFY/.test(code) || /certificate/.test(message) ? notTrusted : ''
}

/** A request to the emulator. */
export interface Sent {
  readonly method: string
  /** The path with its query; begins with a slash. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** Time limit for the answer in milliseconds of wall-clock time. Default: 30,000. */
  readonly withinMs?: number | undefined
}

const usualMs = 30_000
/** Maximum delay of a Node timer: about 24 days. */
const longestMs = 2 ** 31 - 1

/** Converts the time limit of a request to a valid timer delay. The emulator decides whether the limit makes sense. */
export const patienceMs = ({ withinMs = usualMs }: Sent): number =>
  Number.isNaN(withinMs) ? usualMs : Math.ceil(Math.min(Math.max(withinMs, 1), longestMs))

/** An answer of the service. */
export interface Reply {
  /** The HTTP status. */
  readonly status: number
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The body as text. */
  readonly text: string
}

/** An answer whose body is read while it arrives. */
export interface OpenReply {
  readonly status: number
  readonly headers: Reply['headers']
  /** The body of the answer, chunk by chunk. */
  readonly texts: AsyncIterable<string>
  /** Stops reading the body. */
  close(): void
}

/** Carries requests to an emulator: over HTTP, or directly within this process. */
export interface Transport {
  /** Sends a request and reads the whole answer, whatever its status.
   *  @throws EmulatorUnreachable if no answer comes */
  send(request: Sent): Promise<Reply>
  /** Sends a request and resolves as soon as its answer begins.
   *  @throws EmulatorUnreachable if no answer comes */
  open(request: Sent): Promise<OpenReply>
}
