import type { Answer } from './answer.ts'
import type { TestClient } from './client.ts'
import type { TestEmulator } from './emulator.ts'

/** The payment page of one order, as a browser without scripts sees it. */
export class PaymentPage {
  readonly token: string
  readonly #emulator: TestEmulator

  constructor(emulator: TestEmulator, token: unknown) {
    this.#emulator = emulator
    this.token = String(token)
  }

  /** Opens it. */
  open(headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Answer> {
    return this.#emulator.send(`/pay/${this.token}`, { method, headers })
  }

  /** Sends one of its forms. */
  choose(fields: Readonly<Record<string, string>>): Promise<Answer> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = `${new URLSearchParams(fields)}`
    return this.#emulator.send(`/pay/${this.token}`, { method: 'POST', headers, body })
  }

  /** The state that its script requests. */
  async state(): Promise<unknown> {
    const { json } = await this.#emulator.send(`/pay/${this.token}/state`, { method: 'GET' })
    return json.state
  }
}

/** The page of the client's only order under a requestId. */
export async function pageOf(
  client: TestClient,
  emulator: TestEmulator,
  requestId: string,
): Promise<PaymentPage> {
  return new PaymentPage(emulator, (await client.order(requestId)).token)
}

/** The text of a page without its tags, as it is read. */
export const readable = ({ text }: Answer): string =>
  text
    .replace(/<head>.*<\/head>/s, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
