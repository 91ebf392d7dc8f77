import { EmulatorUnreachable } from './errors.ts'
import type { Reply, Sent, Transport } from './transport.ts'

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

/** Of several addresses of one name, the first tells it. In Jest, what Node throws is no `Error` of the test's. */
function causeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('message' in error)) return String(error)
  if ('errors' in error && Array.isArray(error.errors)) return causeOf(error.errors[0])
  if ('name' in error && error.name === 'TimeoutError') return 'time is up'
  if ('code' in error && error.code === 'ECONNREFUSED') return `${error.message}. Is it running?`
  return String(error.message)
}
