import { Readable } from 'node:stream'
import { Agent, request } from 'undici'
import { Answer } from './answer.ts'

/** Headers as a test writes them; `null` takes one away that would have been there. */
export type HeaderChanges = Readonly<Record<string, string | null>>

/** A body as a test writes it: an object is sent as JSON, a text or bytes as they are, a stream in chunks and
 *  without Content-Length. */
export type Body = string | Uint8Array | Readable | object

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

function onTheWire(body: Body): string | Uint8Array | Readable {
  const asItIs = typeof body === 'string' || body instanceof Uint8Array || body instanceof Readable
  return asItIs ? body : JSON.stringify(body)
}

function present(headers: HeaderChanges): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) if (value !== null) kept[name] = value
  return kept
}
