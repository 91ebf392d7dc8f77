import { EmulatorUnreachable } from './errors.ts'
import type { Sent } from './transport.ts'

/** Says in words why no answer came, and what to do about it.
 *  @param error what the connection met */
export function unreachable(url: string, { method, path }: Sent, error: unknown): EmulatorUnreachable {
  const call = `${method} ${path.replace(/\?.*/, '')}`
  const words = `No answer from the emulator at ${url} to ${call}: ${reasonOf(error, new URL(url))}`
  return new EmulatorUnreachable(words, { cause: error })
}

/** What to do about what a connection meets, by its code. */
const advice: Readonly<Record<string, (url: URL) => string>> = {
  ECONNREFUSED: () => 'Nothing is running there. Start it with `npx payment-order-emulator`.',
  ENOTFOUND: ({ hostname }) => `The host name ${hostname} is unknown.`,
  EAI_AGAIN: ({ hostname }) => `The host name ${hostname} is unknown.`,
  ECONNRESET: () => 'The connection was closed. Was the emulator stopped?',
  UND_ERR_SOCKET: () => 'The connection was closed. Was the emulator stopped?',
  ERR_SSL_WRONG_VERSION_NUMBER: () => 'The server does not speak TLS: use http:// instead of https://.',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: () => 'The server does not speak TLS: use http:// instead of https://.',
  EPROTO: () => 'The server does not speak TLS: use http:// instead of https://.',
  ERR_TLS_CERT_ALTNAME_INVALID: () => 'Its certificate is for another host name.',
  CERT_HAS_EXPIRED: () => 'Its certificate has expired.',
}

const notTrusted =
  'Its certificate is not trusted. Set NODE_EXTRA_CA_CERTS=<file> to trust your own certificate authority.'
const notHttp = 'Another program listens there.'

/** In Jest, what Node throws is no `Error` of the test's: it is known by its members. */
function reasonOf(error: unknown, url: URL): string {
  if (typeof error !== 'object' || error === null || !('message' in error)) return String(error)
  // Of several addresses of one name, the first tells it.
  if ('errors' in error && Array.isArray(error.errors)) return reasonOf(error.errors[0], url)
  const message = String(error.message)
  if ('name' in error && error.name === 'TimeoutError')
    return 'it took too long. Is it busy, or is another program there?'
  const code = 'code' in error ? String(error.code) : ''
  // Its message speaks of a client, and means none of ours.
  if (code === 'UND_ERR_DESTROYED') return 'emulator.close() was called before: is an `await` missing?'
  const advised = advice[code]?.(url) ?? adviceByKind(code, message)
  return advised === '' ? message : `${message}. ${advised}`
}

function adviceByKind(code: string, message: string): string {
  if (code.startsWith('HPE_') || /HTTP\/1\.1 protocol/.test(message)) return notHttp
  return /CERT|SELF_SIGNED|VERIFY/.test(code) || /certificate/.test(message) ? notTrusted : ''
}
