import type { Reply, Transport } from './transport.ts'
import { unreachable } from './unreachable.ts'

const answerWithinMs = 30_000

/** The way to an emulator on a port.
 *  @param url its base URL, without a slash at its end */
export function httpTransport(url: string): Transport {
  let opening: ReturnType<typeof open> | undefined
  return {
    send: async ({ method, path, headers = {}, body, withinMs = answerWithinMs }) => {
      try {
        opening ??= open()
        const { request, dispatcher } = await opening
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
    close: async () => (await opening)?.dispatcher.destroy(),
  }
}

async function open() {
  const { Agent, request } = await import('./http-client.ts')
  return { request, dispatcher: new Agent({ headersTimeout: 0, bodyTimeout: 0 }) }
}

const single = (headers: Readonly<Record<string, string | string[] | undefined>>): Reply['headers'] =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
