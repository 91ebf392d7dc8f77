/** A webhook that has arrived completely, over any transport. */
export interface IncomingWebhook {
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array
}

/** The answer to a webhook: a response, none (`hang`), or a broken connection (`reset`). */
export type OutgoingAnswer =
  | { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string }
  | 'hang'
  | 'reset'

export type Receive = (webhook: IncomingWebhook) => Promise<OutgoingAnswer>

export interface Endpoint {
  readonly url: string
  close(): Promise<void>
}

/** Opens an endpoint that passes all webhooks to `receive`. */
export type OpenEndpoint = (receive: Receive) => Promise<Endpoint>
