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
