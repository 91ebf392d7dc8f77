import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { brokenPage, declinedPage, paidPage, shopPage, unknownPage, waitingPage } from './pages.ts'
import { type Account, Payments } from './payments.ts'

/** A shop with one mug, one button, and a page for customers who return from paying. */
export function createShop(account: Account): Server {
  const payments = new Payments(account)

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://shop')
    if (request.method === 'POST' && pathname === '/orders') {
      // Each attempt is an order of its own: the service takes no requestId twice.
      const id = randomUUID()
      const url = await payments.open(id, '12.50', `http://${request.headers.host}/orders/${id}`)
      response.writeHead(303, { location: url }).end()
    } else if (pathname.startsWith('/orders/')) {
      show(response, await orderPage(pathname.slice('/orders/'.length)))
    } else {
      show(response, shopPage)
    }
  }

  /** Anybody can forge the browser's `data`, so the service is asked. */
  async function orderPage(id: string): Promise<string> {
    const status = await payments.status(id)
    if (status === undefined) return unknownPage
    if (status === 'COMPLETED') return paidPage
    return status === 'FAILED' ? declinedPage : waitingPage
  }

  return createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      console.error(error)
      show(response, brokenPage, 500)
    })
  })
}

function show(response: ServerResponse, page: string, status = 200): void {
  response
    .writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    .end(page)
}
