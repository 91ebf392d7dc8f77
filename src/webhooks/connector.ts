import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type { buildConnector } from 'undici'
import { lenientConnector } from './lenient-answers.ts'
import type { Target, Targets } from './targets.ts'

/** Connects to one origin if that is allowed. It looks at the address that the name resolves to, and connects to
 *  just that: a name that resolves to another one a moment later gains nothing. */
export function guardedConnector(origin: string, targets: Targets): buildConnector.connector {
  const { host, port } = namedBy(origin)
  const problemWith = (address: string) => targets.problemWith({ host, address, port })
  const connect = lenientConnector({ lookup: guardedLookup(problemWith) })
  return (options, callback) => {
    // What is an address already is not looked up.
    const problem = isIP(host) === 0 ? undefined : problemWith(host)
    if (problem === undefined) connect(options, callback)
    else callback(new Error(problem), null)
  }
}

/** The host and port that a URL names. */
export function namedBy(url: string): Pick<Target, 'host' | 'port'> {
  const { hostname, port, protocol } = new URL(url)
  const usual = protocol === 'https:' ? 443 : 80
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? usual : Number(port) }
}

function guardedLookup(problemWith: (address: string) => string | undefined): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, '', 0)
      const allowed = found.filter(({ address }) => problemWith(address) === undefined)
      const [first] = allowed
      if (first === undefined) return callback(new Error(problemWith(found[0]?.address ?? '')), '', 0)
      if (options.all) return callback(null, allowed)
      callback(null, first.address, first.family)
    })
  }
}
