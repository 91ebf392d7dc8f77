import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { type buildConnector, Pool } from 'undici'
import { lenientConnector } from './lenient-answers.ts'
import { namedBy, type Targets } from './targets.ts'

/** A connection that lies idle for longer is closed. Receivers close theirs after 2 s (gunicorn), 5 s (Node) or more:
 *  one that closes in the very moment of sending would cost a visible attempt. */
const idleAtMostMs = 1_000

/** Connections to one origin, where webhooks may go.
 *  @param connections at most */
export const guardedPool = (origin: string, targets: Targets, connections: number): Pool =>
  // undici's own time-outs are coarse, and a dripping body outlives them; an exchange has its own.
  new Pool(origin, {
    connections,
    connect: guardedConnector(origin, targets),
    keepAliveTimeout: idleAtMostMs,
    // What a receiver's Keep-Alive header may make of it.
    keepAliveMaxTimeout: idleAtMostMs,
    headersTimeout: 0,
    bodyTimeout: 0,
  })

/** Connects to one origin if that is allowed. It looks at the address that the name resolves to, and connects to
 *  just that: a name that resolves to another one a moment later gains nothing. */
function guardedConnector(origin: string, targets: Targets): buildConnector.connector {
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
