/** A request as it goes to the emulator. */
export interface Sent {
  readonly method: string
  /** With the query; begins with a slash. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** Wall milliseconds after which no answer is waited for any more. */
  readonly withinMs?: number | undefined
}

/** An answer as it came. */
export interface Reply {
  readonly status: number
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** A way to an emulator: over HTTP, or straight into one in this process. */
export interface Transport {
  /** Sends a request and reads the whole answer, whatever its status.
   *  @throws EmulatorUnreachable if there is none */
  send(request: Sent): Promise<Reply>
}
