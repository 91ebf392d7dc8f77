import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { buildConnector, Dispatcher } from 'undici'

/** The connections to one emulator. What they are made with is loaded when the first is needed. */
export interface Way {
  open(): Promise<OpenWay>
  /** Ends all of them. */
  close(): Promise<void>
}

type HttpClient = typeof import('./http-client.ts')

interface OpenWay extends Pick<HttpClient, 'request' | 'fetch' | 'Dispatcher1Wrapper'> {
  readonly dispatcher: Dispatcher
}

/** @param connect opens a connection within this process; over the network if left out */
export function wayTo(connect?: () => Duplex): Way {
  let opening: Promise<OpenWay> | undefined
  let closed = false
  const opened = async () => {
    const way = await open(connect)
    // Whoever comes after the end is refused as those are who were there before.
    if (closed) await way.dispatcher.destroy()
    return way
  }
  return {
    open: () => {
      opening ??= opened()
      return opening
    },
    close: async () => {
      closed = true
      await (await opening)?.dispatcher.destroy()
    },
  }
}

async function open(connect?: () => Duplex): Promise<OpenWay> {
  const { Agent, Dispatcher1Wrapper, fetch, lackingGlobal, request } = await import('./http-client.ts')
  const lacking = lackingGlobal()
  if (lacking !== null) throw new Error(lacking)
  // Answers may be held for as long as a test likes.
  const patient = { headersTimeout: 0, bodyTimeout: 0 }
  const options = connect === undefined ? patient : { ...patient, connect: within(connect) }
  return { request, fetch, Dispatcher1Wrapper, dispatcher: new Agent(options) }
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
