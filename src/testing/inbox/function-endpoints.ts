import type { WebhookFetch } from '../../webhooks/receiving-function.ts'
import type { OpenEndpoint, OutgoingAnswer, Receive } from './endpoint.ts'

/** Webhook endpoints within this process, reached without a network. A POST to any other URL goes to a given
 *  function, or over the network. */
export class FunctionEndpoints {
  readonly #others: WebhookFetch | undefined
  readonly #receivers = new Map<string, (request: Request) => Promise<Response>>()
  #opened = 0

  constructor(others: WebhookFetch | undefined) {
    this.#others = others
  }

  /** Returns the function that receives POSTs to a URL; undefined for the network. */
  readonly at = (url: string): WebhookFetch | undefined => {
    const { hostname } = new URL(url)
    return this.#receivers.get(hostname) ?? (isDoor.test(hostname) ? closed : this.#others)
  }

  /** Opens an endpoint without a port; only the path of its URL can be chosen. */
  door({ path = '/webhooks' }: { readonly path?: string | undefined }): OpenEndpoint {
    return async (receive) => {
      this.#opened += 1
      const host = `inbox-${this.#opened}.internal`
      const closing = new AbortController()
      this.#receivers.set(host, (request) => answered(request, receive, closing.signal))
      return {
        url: `http://${host}${path.startsWith('/') ? '' : '/'}${path}`,
        close: async () => {
          this.#receivers.delete(host)
          closing.abort()
        },
      }
    }
  }
}

const isDoor = /^inbox-\d+\.internal$/

const closed: WebhookFetch = () => {
  throw new Error('the webhook inbox is closed')
}

async function answered(request: Request, receive: Receive, closing: AbortSignal): Promise<Response> {
  const bytes = new Uint8Array(await request.arrayBuffer())
  const answer = await receive({ headers: Object.fromEntries(request.headers), bytes })
  if (answer === 'reset') throw new Error('reset by the webhook inbox')
  return answer === 'hang' ? cut(AbortSignal.any([closing, request.signal])) : responseOf(answer)
}

/** Stays pending until the inbox closes or the sender stops waiting, then rejects. */
const cut = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const end = () => reject(new Error('cut off by the webhook inbox'))
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })

function responseOf({ status, headers, body }: Exclude<OutgoingAnswer, string>): Response {
  const hasNone = status === 204 || status === 205 || status === 304
  return new Response(hasNone ? null : body, { status, headers: { ...headers } })
}
