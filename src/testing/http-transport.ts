import { patienceMs, type Reply, type Sent, type Transport } from './transport.ts'
import { unreachable } from './unreachable.ts'
import type { Way } from './way.ts'

/** HTTP to an emulator.
 *  @param url its base URL, without a slash at its end */
export function httpTransport(url: string, way: Way): Transport {
  return {
    send: async (sent) => {
      try {
        const answer = await asked(url, way, sent, AbortSignal.timeout(patienceMs(sent)))
        return { status: answer.statusCode, headers: single(answer.headers), text: await answer.body.text() }
      } catch (error) {
        throw unreachable(url, sent, error)
      }
    },
    open: async (sent) => {
      try {
        const { body, headers, statusCode } = await asked(url, way, sent, null)
        body.setEncoding('utf8')
        // Whoever has stopped reading does not care how it ends.
        body.on('error', () => {})
        const texts = piecesOf(body, (error) => unreachable(url, sent, error))
        return { status: statusCode, headers: single(headers), texts, close: () => body.destroy() }
      } catch (error) {
        throw unreachable(url, sent, error)
      }
    },
  }
}

/** The pieces of a body, and its error in words. */
async function* piecesOf(
  body: AsyncIterable<unknown>,
  inWords: (error: unknown) => Error,
): AsyncGenerator<string> {
  try {
    for await (const piece of body) yield String(piece)
  } catch (error) {
    throw inWords(error)
  }
}

async function asked(url: string, way: Way, sent: Sent, signal: AbortSignal | null) {
  const { request, dispatcher } = await way.open()
  const { method, path, headers = {}, body = null } = sent
  // Not fetch: it refuses some ports (6000, 6666, ...) that an emulator may well have.
  return await request(`${url}${path}`, { method, headers, body, dispatcher, signal })
}

const single = (headers: Readonly<Record<string, string | string[] | undefined>>): Reply['headers'] =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
