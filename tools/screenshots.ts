// Makes the pictures of the README: npx tsx tools/screenshots.ts [folder]. Needs chromium and a built program.

import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Browser, chromium } from 'playwright-core'

const root = join(import.meta.dirname, '..')

interface Picture {
  readonly name: string
  readonly path: string
  readonly width: number
  readonly height: number
}

/** Plays a day of a shop on an emulator of its own, and takes the pictures of it in both colours.
 *  @returns the names of the files */
export async function takeScreenshots(folder: string): Promise<string[]> {
  mkdirSync(folder, { recursive: true })
  const receiver = await startReceiver()
  const { url, stop } = await startEmulator(receiver.url)
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  })
  try {
    const pictures = await playADay(url)
    const files: string[] = []
    for (const picture of pictures) {
      for (const colours of ['light', 'dark'] as const) {
        const file = `${picture.name}-${colours}.png`
        await take(browser, `${url}${picture.path}`, { ...picture, colours, file: join(folder, file) })
        files.push(file)
      }
    }
    return files
  } finally {
    await browser.close()
    await stop()
    receiver.stop()
  }
}

async function take(
  browser: Browser,
  url: string,
  how: { width: number; height: number; colours: 'light' | 'dark'; file: string },
): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: how.width, height: how.height },
    colorScheme: how.colours,
    reducedMotion: 'reduce',
    deviceScaleFactor: 1.5,
  })
  const page = await context.newPage()
  await page.goto(url)
  await page.screenshot({ path: how.file, animations: 'disabled' })
  await context.close()
}

/** The same clock, seed and calls each time: the same pictures. */
async function startEmulator(webhookUrl: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const words = ['serve', '--port', '0', '--log', 'json', '--clock', 'manual', '--seed', 'pictures']
  const when = ['--start-time', '2026-03-02T09:00:00Z', '--webhook-url', webhookUrl]
  const child = spawn(process.execPath, [join(root, 'dist', 'cli.js'), ...words, ...when])
  const url = await addressOf(child)
  const stop = async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  return { url, stop }
}

async function addressOf({ stdout, stderr }: ChildProcess): Promise<string> {
  stderr?.pipe(process.stderr)
  if (stdout === null) throw new Error('the emulator has no output')
  for await (const line of createInterface({ input: stdout })) {
    const { event, url } = JSON.parse(line)
    if (event === 'ready') {
      stdout.resume()
      return String(url)
    }
  }
  throw new Error('the emulator did not start')
}

/** Takes every webhook but those of one order, so that there is something to look at. */
async function startReceiver(): Promise<{ url: string; stop: () => void }> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request.setEncoding('utf8')) body += part
    response.writeHead(body.includes('order-1042') ? 503 : 204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return { url: `http://127.0.0.1:${port}/webhooks`, stop: () => server.close() }
}

/** What happens in the shop, and where to look at it. */
async function playADay(url: string): Promise<Picture[]> {
  const shop = new Shop(url)
  await shop.create('order-1036', '129.00', 'anna.lind@example.com')
  await shop.advance('4m')
  await shop.create('order-1037', '18.50', 'ben+fail-9004@example.com')
  await shop.advance('7m')
  await shop.create('order-1038', '45.00', 'carla.diaz@example.com')
  await shop.advance('2m')
  await shop.create('order-1039', '9.90', 'dora+refund-initiated@example.com')
  await shop.advance('3h')
  await shop.create('order-1040', '75.20', 'emil+fail-dotted-code@example.com')
  await shop.advance('11m')
  const refused = await shop.create(
    'order-1041',
    '60.00',
    'farah@example.com',
    'fiatAmount=60&requestId=order-1041',
  )
  await shop.create('order-1041', '60.00', 'farah@example.com')
  await shop.advance('6m')
  await shop.create('order-1042', '240.00', 'goran@example.com')
  await shop.advance('40s')
  const waiting = await shop.create('order-1043', '32.00', 'hana+payer-decides@example.com', undefined, {
    userMessage: 'Two tickets for the evening show',
    mode: 'returnUrl',
    callbackUrl: 'https://shop.example/thanks',
  })
  await shop.advance('3s')
  await shop.create('order-1044', '15.75', 'ivo@example.com')
  const troubled = await shop.orderId('order-1042')
  return [
    { name: 'orders', path: '/_emulator/', width: 1280, height: 800 },
    { name: 'order', path: `/_emulator/ui/orders/${troubled}`, width: 1280, height: 900 },
    { name: 'refused', path: `/_emulator/ui/requests/${refused.entry}`, width: 1280, height: 800 },
    { name: 'payment', path: `/pay/${waiting.token}`, width: 390, height: 780 },
  ]
}

/** An application that calls the emulator. */
class Shop {
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  /** @param signed what is signed, if that is not what should be */
  async create(
    requestId: string,
    fiatAmount: string,
    email: string,
    signed = `fiatAmount=${fiatAmount}&requestId=${requestId}`,
    more: object = {},
  ): Promise<{ entry: string; token: string }> {
    const signature = createHmac('sha256', 'demo-secret').update(signed).digest('base64')
    const answer = await fetch(`${this.#url}/v1/client/checkout/create-order`, {
      method: 'POST',
      headers: { 'access-token': 'demo-token', 'content-type': 'application/json', signature },
      body: JSON.stringify({
        requestId,
        fiatAmount,
        email,
        currencyId: 'usd_us',
        clientId: 'demo-client',
        ...more,
      }),
    })
    const { token = '' }: { token?: string } = JSON.parse(await answer.text())
    return { entry: answer.headers.get('emulator-request-id') ?? '', token }
  }

  async advance(by: string): Promise<void> {
    await fetch(`${this.#url}/_emulator/clock/advance?clientId=demo-client`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ by }),
    })
  }

  async orderId(requestId: string): Promise<string> {
    const answer = await fetch(`${this.#url}/_emulator/orders?requestId=${requestId}`)
    const { items }: { items: readonly { orderId: string }[] } = JSON.parse(await answer.text())
    return items[0]?.orderId ?? ''
  }
}

if (process.argv[1] === import.meta.filename) {
  const folder = process.argv[2] ?? join(root, 'docs', 'images')
  for (const file of await takeScreenshots(folder)) console.log(file)
}
