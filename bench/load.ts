// The load generator, in a process of its own: told a load, it prepares the requests, sends them, and tells how
// long that took.

import { drive, open } from './connection.ts'
import { type RequestKind, requestBytes } from './requests.ts'

/** Requests of one kind, with the numbers from `first` on. */
export interface Load {
  readonly kind: RequestKind
  readonly port: number
  readonly connections: number
  readonly first: number
  readonly count: number
  /** How many different requests there are; they are sent again and again. Without it every one is new. */
  readonly different?: number | undefined
}

export type LoadEnd = { readonly seconds: number } | { readonly failure: string }

process.on('message', (load: Load) => {
  run(load).then(
    (seconds) => tell({ seconds }),
    (error: unknown) => tell({ failure: String(error) }),
  )
})

const tell = (end: LoadEnd) => process.send?.(end)

async function run({ kind, port, connections, first, count, different = count }: Load): Promise<number> {
  const requests = Array.from({ length: different }, (_, index) => requestBytes[kind](first + index))
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)))
  const begun = performance.now()
  let sent = 0
  const next = () => (sent < count ? requests[sent++ % different] : undefined)
  await Promise.all(sockets.map((socket) => drive(socket, next)))
  const seconds = (performance.now() - begun) / 1000
  for (const socket of sockets) socket.removeAllListeners('close').destroy()
  return seconds
}
