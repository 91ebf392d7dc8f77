import { after } from '../time/timers.ts'
import { patienceMs, type Reply, type Sent, type Transport, unreachable } from './transport.ts'

interface Answering {
  answer(request: Request): Promise<Response>
}

/** Sends requests to an emulator in this process, without a port.
 *  @param url the base URL of requests */
export function directTransport(emulator: Answering, url: string): Pick<Transport, 'send'> {
  const { host } = new URL(url)
  return {
    send: async (sent) => {
      const { method, path, headers, body } = sent
      const patience = new AbortController()
      const request = new Request(`${url}${path}`, {
        method,
        headers: { host, ...headers },
        body: body ?? null,
        signal: patience.signal,
      })
      const answer = await within(sent, patience, () => emulator.answer(request)).catch((error) => {
        throw unreachable(url, sent, error)
      })
      return { status: answer.status, headers: headersOf(answer), text: await answer.text() }
    },
  }
}

/** Aborts a request when its time is over, so that the handler sees the caller go away, like over a network. */
async function within<T>(sent: Sent, patience: AbortController, act: () => Promise<T>): Promise<T> {
  const over = Promise.withResolvers<never>()
  const end = after(patienceMs(sent), () => {
    patience.abort()
    over.reject(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
  })
  try {
    return await Promise.race([act(), over.promise])
  } finally {
    end()
  }
}

const headersOf = ({ headers }: Response): Reply['headers'] => Object.fromEntries(headers)
