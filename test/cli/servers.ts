import { createServer, type RequestListener } from 'node:http'
import { onTestFinished } from 'vitest'

/** A server on a free port of 127.0.0.1 that ends with the test. */
export async function serverFor(listener: RequestListener): Promise<{ port: number; url: string }> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { port: address.port, url: `http://127.0.0.1:${address.port}/` }
}
