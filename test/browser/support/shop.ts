import { createServer } from 'node:http'
import { onTestFinished } from 'vitest'

/** A merchant's site, on an origin of its own. */
export interface Shop {
  readonly url: string
  /** The requests of browsers, oldest first. */
  readonly asked: readonly string[]
}

/** Starts a shop until the test ends. `/frame?<url>` shows a page in a frame, `/sandbox?<url>` in one without an
 *  origin; every other path says thanks, once `isTime` is settled. */
export async function startShop(isTime: Promise<void> = Promise.resolve()): Promise<Shop> {
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    const { url = '/' } = request
    if (url !== '/favicon.ico') asked.push(url)
    await isTime
    const [, how, framed = ''] = /^\/(frame|sandbox)\?(.*)$/.exec(url) ?? []
    const sandbox = how === 'sandbox' ? 'sandbox="allow-scripts allow-forms"' : ''
    const frame = `<iframe src="${decodeURIComponent(framed)}" ${sandbox} width="380" height="700"></iframe>`
    const body = how === undefined ? '<h1>Thanks</h1>' : frame
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(`<!doctype html><title>Shop</title><link rel="icon" href="data:,">${body}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the shop has no port')
  return { url: `http://127.0.0.1:${address.port}`, asked }
}
