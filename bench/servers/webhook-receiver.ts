// Takes in webhooks and tells when they came. Told what to count to, it begins anew and tells once it has got there.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FromReceiver, ToReceiver } from '../webhooks/receiver.ts'

let status = 200
let wanted = 0
let ids: string[] = []
/** Of each arrival, milliseconds since the epoch, with fractions. */
let moments: number[] = []

const tell = (message: FromReceiver) => process.send?.(message)
const now = () => performance.timeOrigin + performance.now()

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    moments.push(now())
    ids.push(String(request.headers['webhook-id']))
    response.writeHead(status, { 'content-length': 0 }).end()
    if (moments.length === wanted) tell({ ids, moments: Float64Array.from(moments) })
  })
})
// It never closes a connection that somebody is about to use.
server.keepAliveTimeout = 0

process.on('message', (message: ToReceiver) => {
  status = message.answer
  wanted = message.wanted
  ids = []
  moments = []
})
process.once('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => {
  const address: AddressInfo | string | null = server.address()
  if (address !== null && typeof address === 'object') tell({ port: address.port })
})
