import type { Reply, Transport } from './transport.ts'
import { unreachable } from './unreachable.ts'
import type { Way } from './way.ts'

const answerWithinMs = 30_000

/** HTTP to an emulator.
 *  @param url its base URL, without a slash at its end */
export function httpTransport(url: string, way: Way): Transport {
  return {
    send: async ({ method, path, headers = {}, body, withinMs = answerWithinMs }) => {
      try {
        const { request, dispatcher } = await way.open()
        // Not fetch: it refuses some ports (6000, 6666, ...) that an emulator may well have.
        const answer = await request(`${url}${path}`, {
          method,
          headers,
          body: body ?? null,
          dispatcher,
          signal: AbortSignal.timeout(withinMs),
        })
        return { status: answer.statusCode, headers: single(answer.headers), text: await answer.body.text() }
      } catch (error) {
        throw unreachable(url, { method, path }, error)
      }
    },
  }
}

const single = (headers: Readonly<Record<string, string | string[] | undefined>>): Reply['headers'] =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
