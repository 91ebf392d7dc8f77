// What the emulator is measured against: Node's own server, doing nothing else. It also takes in webhooks.

import { createServer } from 'node:http'

const port = Number(process.argv[2])
const server = createServer((request, response) => {
  request.resume().on('end', () => response.setHeader('content-length', 5).end('hello'))
})

process.once('disconnect', () => process.exit())
server.listen(port, '127.0.0.1')
