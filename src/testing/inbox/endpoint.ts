/** A webhook as it came: whatever carried it, all of it has arrived. */
export interface IncomingWebhook {
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array
}

/** What its sender gets: an answer, none for as long as it waits (`hang`), or a broken connection (`reset`). */
export type OutgoingAnswer =
  | { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string }
  | 'hang'
  | 'reset'

/** Takes a webhook, and resolves when it is to be answered. */
export type Receive = (webhook: IncomingWebhook) => Promise<OutgoingAnswer>

/** Where webhooks come in. */
export interface Endpoint {
  /** Under which the emulator reaches it. */
  readonly url: string
  /** Cuts what is still open. */
  close(): Promise<void>
}

/** Opens a door, behind which `receive` takes whatever is sent to its URL. */
export type OpenEndpoint = (receive: Receive) => Promise<Endpoint>
