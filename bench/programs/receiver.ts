// Receives webhooks and reports when they arrived.

import { createServer } from 'node:http'
import type { Arrivals, Expected } from '../load/receiver.ts'

let expected: Expected = { count: 0, status: 200 }
let ids: string[] = []
let moments: number[] = []

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    moments.push(performance.timeOrigin + performance.now())
    ids.push(String(request.headers['webhook-id']))
    response.writeHead(expected.status, { 'content-length': 0 }).end()
    if (moments.length !== expected.count) return
    const arrivals: Arrivals = { ids, moments }
    process.send?.(arrivals)
  })
})
// A connection must not be closed under a webhook.
server.keepAliveTimeout = 0

process.on('message', (message: Expected) => {
  expected = message
  ids = []
  moments = []
})
process.once('disconnect', () => process.exit())
server.listen(Number(process.argv[2]), '127.0.0.1', () => process.send?.('ready'))
