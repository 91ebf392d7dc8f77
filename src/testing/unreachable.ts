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
  ECONNREFUSED: () => 'Nothing listens there. Is it running?',
  ENOTFOUND: ({ hostname }) => `The name ${hostname} is not known here.`,
  EAI_AGAIN: ({ hostname }) => `The name ${hostname} is not known here.`,
  ECONNRESET: () => 'The connection ended. Has the emulator been stopped?',
  UND_ERR_SOCKET: () => 'The connection ended. Has the emulator been stopped?',
  ERR_SSL_WRONG_VERSION_NUMBER: () => 'It does not speak TLS: http:// instead of https://?',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: () => 'It does not speak TLS: http:// instead of https://?',
  EPROTO: () => 'It does not speak TLS: http:// instead of https://?',
  ERR_TLS_CERT_ALTNAME_INVALID: () => 'Its certificate is for another name.',
  CERT_HAS_EXPIRED: () => 'Its certificate has expired.',
}

const notTrusted =
  'Its certificate is not trusted here. NODE_EXTRA_CA_CERTS=<file> names an authority of your own.'
const notHttp = 'Something else listens there.'

/** In Jest, what Node throws is no `Error` of the test's: it is known by its members. */
function reasonOf(error: unknown, url: URL): string {
  if (typeof error !== 'object' || error === null || !('message' in error)) return String(error)
  // Of several addresses of one name, the first tells it.
  if ('errors' in error && Array.isArray(error.errors)) return reasonOf(error.errors[0], url)
  const message = String(error.message)
  if ('name' in error && error.name === 'TimeoutError')
    return 'it took too long. Is it busy, or is something else there?'
  const code = 'code' in error ? String(error.code) : ''
  // Its message speaks of a client, and means none of ours.
  if (code === 'UND_ERR_DESTROYED') return 'emulator.close() came first: is something not awaited?'
  const advised = advice[code]?.(url) ?? adviceByKind(code, message)
  return advised === '' ? message : `${message}. ${advised}`
}

function adviceByKind(code: string, message: string): string {
  if (code.startsWith('HPE_') || /HTTP\/1\.1 protocol/.test(message)) return notHttp
  return /CERT|SELF_SIGNED|VERIFY/.test(code) || /certificate/.test(message) ? notTrusted : ''
}
