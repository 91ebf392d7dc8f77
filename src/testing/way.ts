import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Agent, type buildConnector, type Dispatcher } from 'undici'

/** The connections to one emulator.
 *  @param connect opens one within this process; over the network if left out */
export function wayTo(connect?: () => Duplex): Dispatcher {
  // Answers may be held for as long as a test likes.
  const patient = { headersTimeout: 0, bodyTimeout: 0 }
  return new Agent(connect === undefined ? patient : { ...patient, connect: within(connect) })
}

function within(connect: () => Duplex): buildConnector.connector {
  return (_, callback) => {
    // In a later turn, as a network does: undici is not ready for it in this one.
    queueMicrotask(() => {
      const end = connect()
      if (servesAsSocket(end)) callback(null, end)
      else callback(new Error('not a connection'), null)
    })
  }
}

/** undici asks of a connection what every Duplex can, and to be told of a reset. */
const servesAsSocket = (end: Duplex): end is Socket => 'resetAndDestroy' in end
