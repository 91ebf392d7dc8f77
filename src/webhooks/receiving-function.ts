import { performance } from 'node:perf_hooks'
import { Readable } from 'node:stream'
import type { AttemptRequest } from './attempt-request.ts'
import type { Exchange } from './exchange.ts'

/** What Node's `fetch` and its `Request` look up among the globals when they are called. */
const builtOn = {
  AbortController,
  AbortSignal,
  ArrayBuffer,
  Blob,
  Buffer,
  DOMException,
  Event,
  EventTarget,
  File,
  performance,
  ReadableStream,
  TextDecoder,
  TextEncoder,
  TransformStream,
  Uint8Array,
  URL,
  URLSearchParams,
}

/** Whether Node's own `fetch` works here, with its own classes: test environments and tests put others in their place.
 *  @param fetch the one that would be called */
export function nodesFetchWorks(fetch: unknown = global('fetch')): boolean {
  // Node loads its classes when one is looked at, so after all that these need.
  return (
    Object.entries(builtOn).every(([name, own]) => global(name) === own) &&
    isNodesOwn(fetch) &&
    ['queueMicrotask', 'FormData', 'Headers', 'Request', 'Response'].every((name) => isNodesOwn(global(name)))
  )
}

/** Not by its plain name, in the place of which the bundle puts a class of its own. */
const global = (name: string): unknown => Reflect.get(globalThis, name)

/** No module of Node exports them, but their source shows what they are made of. */
const isNodesOwn = (value: unknown): boolean =>
  typeof value === 'function' &&
  /\b(undici|webidl|asyncResource)\b/.test(Function.prototype.toString.call(value))

/** A function that receives webhooks in this process: what web frameworks call `app.fetch`. */
export type WebhookFetch = (request: Request) => Response | Promise<Response>

/** Who takes what is sent to a URL within this process; undefined: it goes over the network. */
export type WebhookFetchAt = (url: string) => WebhookFetch | undefined

/** Hands a POST to a function instead of the network. What it throws is told as a connection that failed; when nobody
 *  waits for its answer any more, the request's `signal` aborts. */
export async function postTo(
  receive: WebhookFetch,
  url: string,
  sent: AttemptRequest,
  exchange: Exchange,
): Promise<void> {
  const patience = new AbortController()
  try {
    const request = requestOf(url, sent, patience.signal)
    // The request's signal follows ours only as long as somebody holds the request, and the function may not.
    const held = { patience, request }
    exchange.begin(() => held.patience.abort())
    const answer = await receive(request)
    // Frameworks bring their own `Response`, so no `instanceof`; and JavaScript may forget to return one.
    if (typeof answer?.status !== 'number' || answer.status < 200 || answer.headers === undefined)
      throw new Error(`webhookFetch did not return a Response: ${String(answer)}`)
    exchange.respond(answer.status, (name) => answer.headers.get(name) ?? undefined)
    await pipe(answer, exchange, patience.signal)
  } catch (error) {
    exchange.fail(error instanceof Error ? error : new Error(String(error)))
  }
}

/** As it would come over the network, with the headers that stand there for the transport. */
function requestOf(url: string, { headers, body }: AttemptRequest, signal: AbortSignal): Request {
  const length = body instanceof Readable ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  // The application may copy it, or ask whether it is one of its own.
  const PlatformRequest: typeof Request = nodesFetchWorks() ? Reflect.get(globalThis, 'Request') : Request
  return new PlatformRequest(url, {
    method: 'POST',
    headers: { host: new URL(url).host, ...length, ...headers },
    body,
    signal,
    ...{ duplex: 'half' },
  })
}

async function pipe(answer: Response, exchange: Exchange, signal: AbortSignal): Promise<void> {
  const reader = (await streamOf(answer))?.getReader()
  const cancel = () => void reader?.cancel().catch(() => undefined)
  // The answer may come when nobody waits for it any more.
  if (signal.aborted) return cancel()
  signal.addEventListener('abort', cancel)
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { done: true }
    if (value !== undefined) exchange.receive(Buffer.from(value))
    if (done) return exchange.complete()
  }
}

/** The body of an answer of whatever class: node-fetch has a stream of Node there, and whatwg-fetch nothing. */
async function streamOf(answer: Response): Promise<ReadableStream | null> {
  const body: unknown = answer.body
  if (body === undefined) return ReadableStream.from([new Uint8Array(await answer.arrayBuffer())])
  return body instanceof Readable ? ReadableStream.from(body) : answer.body
}
