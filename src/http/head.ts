import type { IncomingMessage } from 'node:http'
import type { Cause } from '../domain/diagnosis/causes.ts'
import { isUrl } from '../domain/is-url.ts'
import { remembered } from '../domain/remembered.ts'

type Head = Pick<IncomingMessage, 'rawHeaders' | 'url' | 'httpVersion'>

interface HeadProblem {
  readonly status: number
  readonly cause: Cause
  readonly message: string
}

/** What is wrong with a request before anyone asks what it wants: its version, Host, target and transfer coding. A
 *  request that names two hosts means one thing to the guards of the control API and another to whoever stands in
 *  between.
 *  @returns null for one that can be served */
export function problemWithHead(head: Head): HeadProblem | null {
  const { httpVersion, rawHeaders } = head
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    return badRequest('http.version', `HTTP/1.1 is spoken here, not HTTP/${httpVersion}.`)
  const hosts = valuesOf('host', rawHeaders)
  const host = problemWithHost(hosts, httpVersion)
  if (host !== null) return badRequest('http.host', host)
  const target = problemWithTarget(head.url ?? '', hosts[0] ?? '')
  if (target !== null) return badRequest('http.target', target)
  return problemWithTransfer(valuesOf('transfer-encoding', rawHeaders).join(', '), httpVersion)
}

/** The host that a request names; null if it names none or several, or if that is no host. */
export function hostIn(rawHeaders: readonly string[]): string | null {
  const [host = '', ...more] = valuesOf('host', rawHeaders)
  return more.length === 0 && isHost(host) ? host : null
}

const badRequest = (cause: Cause, message: string): HeadProblem => ({ status: 400, cause, message })

function problemWithHost(hosts: readonly string[], httpVersion: string): string | null {
  // Health checks of load balancers still speak HTTP/1.0, which knows no Host.
  if (hosts.length === 0 && httpVersion === '1.0') return null
  if (hosts.length !== 1) return `A request needs one Host header; this one has ${hosts.length}.`
  return isHost(hosts[0] ?? '') ? null : 'The Host header is not a host with an optional port.'
}

function problemWithTarget(url: string, host: string): string | null {
  if (url.includes('\\')) return 'The path has a backslash; write %5C.'
  if (url.startsWith('/')) return null
  const named = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1]
  if (named === undefined) return 'The request target is neither a path nor a URL of http or https.'
  // A target that is a whole URL goes before the header (RFC 9112, 3.2.2), so it could name what a guard refuses.
  return named.toLowerCase() === host.toLowerCase()
    ? null
    : 'The request target names another host than the Host header.'
}

/** Node's parser takes any coding before a last `chunked`, and hands on the body without decoding it. */
function problemWithTransfer(codings: string, httpVersion: string): HeadProblem | null {
  if (codings === '') return null
  const cause = 'http.transfer-coding'
  if (httpVersion === '1.0') {
    const message =
      'HTTP/1.0 has no Transfer-Encoding. Send the body with a Content-Length, or send the request as HTTP/1.1.'
    return badRequest(cause, message)
  }
  const names = codings.split(',').map((name) => name.trim().toLowerCase())
  if (names.every((name) => name === 'chunked' || name === '')) return null
  const sent = JSON.stringify(codings.slice(0, 100))
  const message = `Transfer-Encoding is ${sent}; only \`chunked\` is supported. Send the body as it is, not compressed.`
  // Without a last `chunked` nobody knows where the body ends (RFC 9112, 6.3).
  return { status: names.at(-1) === 'chunked' ? 501 : 400, cause, message }
}

/** The values of a header.
 *  @param wanted its name in lower case */
function valuesOf(wanted: string, rawHeaders: readonly string[]): string[] {
  const values: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    // Lengths first: this is done for every header of every request.
    if (name.length === wanted.length && name.toLowerCase() === wanted)
      values.push(rawHeaders[index + 1] ?? '')
  }
  return values
}

/** A name or address, with a port or not; no user name, no path, nothing that could stand for two. */
const isHost = remembered(
  (host) => /^(\[[0-9a-f:.]+\]|[a-z0-9._~-]+)(:\d{1,5})?$/i.test(host) && isUrl(`http://${host}/`),
)
