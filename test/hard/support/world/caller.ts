import { createHmac } from 'node:crypto'
import { Agent, request } from 'node:http'

/** The answer; status 0 if the connection broke. */
export interface ServiceResponse {
  readonly status: number
  readonly text: string
  /** Its entry in the request log, if it is an answer of the service. */
  readonly entry: string | undefined
}

/** Calls of one emulator over a few connections. Small, because fifty processes have one each. */
export class Caller {
  readonly #url: string
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 4 })
  /** How many calls have been made. */
  calls = 0

  constructor(url: string) {
    this.#url = url
  }

  send(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>> = {},
    body?: object,
  ): Promise<ServiceResponse> {
    this.calls += 1
    const text = body === undefined ? '' : JSON.stringify(body)
    const described =
      body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
    return new Promise((resolve) => {
      const call = request(
        `${this.#url}${path}`,
        { method, agent: this.#agent, headers: { ...headers, ...described } },
        (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('error', () => resolve({ status: 0, text: '', entry: undefined }))
          answer.on('end', () => {
            const entry = answer.headers['emulator-request-id']
            const status = answer.statusCode ?? 0
            resolve({ status, text: Buffer.concat(chunks).toString(), entry: entry?.toString() })
          })
        },
      )
      call.on('error', () => resolve({ status: 0, text: '', entry: undefined }))
      call.end(text)
    })
  }

  /** Calls the control API. @throws {Error} unless it answers 2xx */
  async control(method: string, path: string, body?: object): Promise<string> {
    const { status, text } = await this.send(method, `/_emulator${path}`, {}, body)
    if (status < 200 || status > 299) throw new Error(`${method} ${path} answered ${status} ${text}`)
    return text
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** The signature of a text; written here and not imported, so that the emulator can't prove itself right. */
export const signature = (apiSecret: string, text: string): string =>
  createHmac('sha256', apiSecret).update(text).digest('base64')
