import { type Dispatcher, request } from 'undici'
import { EmulatorUnreachable } from './errors.ts'
import type { Reply, Sent, Transport } from './transport.ts'

const answerWithinMs = 30_000

/** HTTP to an emulator.
 *  @param url its base URL, without a slash at its end
 *  @param dispatcher the connections to it */
export function httpTransport(url: string, dispatcher: Dispatcher): Transport {
  return {
    send: async ({ method, path, headers = {}, body, withinMs = answerWithinMs }) => {
      try {
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

function unreachable(
  url: string,
  { method, path }: Pick<Sent, 'method' | 'path'>,
  error: unknown,
): EmulatorUnreachable {
  const call = `${method} ${path.replace(/\?.*/, '')}`
  return new EmulatorUnreachable(`No answer from the emulator at ${url} to ${call}: ${causeOf(error)}`, {
    cause: error,
  })
}

/** Of several addresses of one name, the first tells it. */
function causeOf(error: unknown): string {
  if (error instanceof AggregateError) return causeOf(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'time is up'
  if ('code' in error && error.code === 'ECONNREFUSED') return `${error.message}. Is it running?`
  return error.message
}
