import type { Reply, Transport } from './transport.ts'

/** What answers requests in this process. */
interface Answering {
  answer(request: Request): Response | Promise<Response>
}

/** The way into an emulator in this process, past its port.
 *  @param url what the requests are addressed to */
export function directTransport(emulator: Answering, url: string): Pick<Transport, 'send'> {
  const { host } = new URL(url)
  return {
    send: async ({ method, path, headers, body }) => {
      const request = new Request(`${url}${path}`, {
        method,
        headers: { host, ...headers },
        body: body ?? null,
      })
      const answer = await emulator.answer(request)
      return { status: answer.status, headers: headersOf(answer), text: await answer.text() }
    },
  }
}

const headersOf = ({ headers }: Response): Reply['headers'] => Object.fromEntries(headers)
