import { Agent, request } from 'undici'
import { Answer } from './answer.ts'

/** Headers as a test writes them; `null` takes one away that would have been there. */
export type HeaderChanges = Readonly<Record<string, string | null>>

/** A body as a test writes it: an object is sent as JSON, a text or bytes as they are, an iterable in chunks
 *  and without Content-Length. */
export type Body = string | Uint8Array | object | AsyncIterable<Uint8Array>

export interface HttpRequest {
  readonly method: string
  readonly headers?: HeaderChanges
  readonly body?: Body | undefined
}

/** Sends requests with exactly the headers it is given: no Accept, no Content-Type of its own. */
export class Http {
  readonly #agent = new Agent()
  readonly #origin: string

  constructor(origin: string) {
    this.#origin = origin
  }

  async send(path: string, { method, headers = {}, body }: HttpRequest): Promise<Answer> {
    const answer = await request(`${this.#origin}${path}`, {
      dispatcher: this.#agent,
      method,
      headers: present(headers),
      body: body === undefined ? null : onTheWire(body),
    })
    return new Answer(answer.statusCode, answer.headers, await answer.body.text())
  }

  close(): Promise<void> {
    return this.#agent.destroy()
  }
}

function onTheWire(body: Body): string | Uint8Array | AsyncIterable<Uint8Array> {
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  return isStream(body) ? body : JSON.stringify(body)
}

const isStream = (body: object): body is AsyncIterable<Uint8Array> => Symbol.asyncIterator in body

function present(headers: HeaderChanges): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) if (value !== null) kept[name] = value
  return kept
}
