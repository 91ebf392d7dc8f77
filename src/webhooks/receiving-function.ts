import { performance } from 'node:perf_hooks'
import { Readable } from 'node:stream'
import type { AttemptRequest } from './attempt-request.ts'
import type { Exchange } from './exchange.ts'

/** The globals that Node's `fetch` and its `Request` use when they are called. */
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

/** Whether Node's own `fetch` and classes are in place: test environments and tests may replace them.
 *  @param fetch the function that will be called */
export function nodesFetchWorks(fetch: unknown = global('fetch')): boolean {
  // Node loads its classes when one is first accessed, so these are checked last.
  return (
    Object.entries(builtOn).every(([name, own]) => global(name) === own) &&
    isNodesOwn(fetch) &&
    ['queueMicrotask', 'FormData', 'Headers', 'Request', 'Response'].every((name) => isNodesOwn(global(name)))
  )
}

/** Reads a global through Reflect, because the bundle replaces plain names by its own classes. */
const global = (name: string): unknown => Reflect.get(globalThis, name)

/** No module of Node exports these classes, but their source shows their origin. */
const isNodesOwn = (value: unknown): boolean =>
  typeof value === 'function' &&
  /\b(undici|webidl|asyncResource)\b/.test(Function.prototype.toString.call(value))

/** A function that receives webhooks in this process: what web frameworks call `app.fetch`. */
export type WebhookFetch = (request: Request) => Response | Promise<Response>

/** Finds the function that takes webhooks to a URL within this process; undefined sends over the network. */
export type WebhookFetchAt = (url: string) => WebhookFetch | undefined

/** Hands a POST to a function instead of the network. An error that it throws counts as a failed connection. The
 *  request's `signal` aborts when its answer no longer matters. */
export async function postTo(
  receive: WebhookFetch,
  url: string,
  sent: AttemptRequest,
  exchange: Exchange,
): Promise<void> {
  const patience = new AbortController()
  try {
    const request = requestOf(url, sent, patience.signal)
    // The request's signal follows ours only while the request is referenced, and the function may not keep it.
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

/** Builds the request as it would arrive over the network, with the transport's headers. */
function requestOf(url: string, { headers, body }: AttemptRequest, signal: AbortSignal): Request {
  const length = body instanceof Readable ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  // The application may copy the request, or test its class.
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
  // An answer after the time-out is discarded.
  if (signal.aborted) return cancel()
  signal.addEventListener('abort', cancel)
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { done: true }
    if (value !== undefined) exchange.receive(Buffer.from(value))
    if (done) return exchange.complete()
  }
}

/** The body stream of any kind of Response: node-fetch has a stream of Node, and whatwg-fetch has none. */
async function streamOf(answer: Response): Promise<ReadableStream | null> {
  const body: unknown = answer.body
  if (body === undefined) return ReadableStream.from([new Uint8Array(await answer.arrayBuffer())])
  return body instanceof Readable ? ReadableStream.from(body) : answer.body
}
