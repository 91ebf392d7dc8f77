import type { IncomingMessage } from 'node:http'
import type { Cause } from '../domain/diagnosis/causes.ts'
import { isUrl } from '../domain/is-url.ts'
import { remembered } from '../domain/remembered.ts'

type Head = Pick<IncomingMessage, 'rawHeaders' | 'url' | 'httpVersion'>

/** What is wrong with a request before anyone asks what it wants: its version, Host and target. A request that names
 *  two hosts means one thing to the guards of the control API and another to whoever stands in between.
 *  @returns null for one that can be served */
export function problemWithHead(head: Head): { cause: Cause; message: string } | null {
  const { httpVersion } = head
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    return { cause: 'http.version', message: `HTTP/1.1 is spoken here, not HTTP/${httpVersion}.` }
  const hosts = hostsIn(head.rawHeaders)
  const message = problemWithHost(hosts, httpVersion)
  if (message !== null) return { cause: 'http.host', message }
  const target = problemWithTarget(head.url ?? '', hosts[0] ?? '')
  return target === null ? null : { cause: 'http.target', message: target }
}

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

function hostsIn(rawHeaders: readonly string[]): string[] {
  const hosts: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    // Lengths first: this is done for every header of every request.
    if (name.length === 4 && name.toLowerCase() === 'host') hosts.push(rawHeaders[index + 1] ?? '')
  }
  return hosts
}

/** A name or address, with a port or not; no user name, no path, nothing that could stand for two. */
const isHost = remembered(
  (host) => /^(\[[0-9a-f:.]+\]|[a-z0-9._~-]+)(:\d{1,5})?$/i.test(host) && isUrl(`http://${host}/`),
)
