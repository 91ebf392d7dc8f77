import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { startEmulator, type TestClient } from '../src/index.ts'

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
  // The same clock, seed and calls each time: the same pictures, except for wall-clock times.
  await using emulator = await startEmulator({
    clock: 'manual',
    startTime: '2026-03-02T09:00:00Z',
    seed: 'pictures',
    // One order's webhooks fail, so that there is something to look at.
    webhookFetch: async (request) =>
      new Response(null, { status: (await request.text()).includes('order-1042') ? 503 : 204 }),
  })
  const client = await emulator.client('demo-client')
  await client.change({ webhookUrl: 'http://127.0.0.1:3000/webhooks' })
  const pictures = await playADay(client)
  const browser = await startBrowser()
  const files: string[] = []
  try {
    for (const picture of pictures)
      for (const colorScheme of ['light', 'dark'] as const) {
        const file = `${picture.name}-${colorScheme}.png`
        await take(browser, `${emulator.url}${picture.path}`, picture, colorScheme, join(folder, file))
        files.push(file)
      }
  } finally {
    await browser.close()
  }
  return files
}

/** The browser of this machine, which asks the network for nothing of its own. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
    ],
  })

async function take(
  browser: Browser,
  url: string,
  { width, height }: Picture,
  colorScheme: 'light' | 'dark',
  path: string,
): Promise<void> {
  const viewport = { width, height }
  const context = await browser.newContext({
    ...{ viewport, colorScheme },
    ...{ reducedMotion: 'reduce', deviceScaleFactor: 1.5 },
  })
  const page = await context.newPage()
  await page.goto(url)
  await page.screenshot({ path, animations: 'disabled' })
  await context.close()
}

/** A day in the shop, and the pages to look at. */
async function playADay(client: TestClient): Promise<Picture[]> {
  const create = (requestId: string, fiatAmount: string, email: string) =>
    client.createCheckoutOrder({ requestId, fiatAmount, email })
  await create('order-1036', '129.00', 'anna.lind@example.com')
  await client.clock.advance('4m')
  await create('order-1037', '18.50', 'ben+fail-9004@example.com')
  await client.clock.advance('7m')
  await create('order-1038', '45.00', 'carla.diaz@example.com')
  await client.clock.advance('2m')
  await create('order-1039', '9.90', 'dora+refund-initiated@example.com')
  await client.clock.advance('3h')
  await create('order-1040', '75.20', 'emil+fail-dotted-code@example.com')
  await client.clock.advance('11m')
  const farahs = { requestId: 'order-1041', fiatAmount: '60.00', email: 'farah@example.com' }
  const stringToSign = 'fiatAmount=60&requestId=order-1041'
  await client.createCheckoutOrder(farahs, { stringToSign }).catch(() => undefined)
  const [refused] = await client.requests.list({ order: 'newest', limit: 1 })
  await client.createCheckoutOrder(farahs)
  await client.clock.advance('6m')
  await create('order-1042', '240.00', 'goran@example.com')
  await client.clock.advance('40s')
  const waiting = await client.createCheckoutOrder({
    ...{ requestId: 'order-1043', fiatAmount: '32.00', email: 'hana+payer-decides@example.com' },
    userMessage: 'Two tickets for the evening show',
    mode: 'returnUrl',
    callbackUrl: 'https://shop.example/thanks',
  })
  await client.clock.advance('3s')
  await create('order-1044', '15.75', 'ivo@example.com')
  const [troubled] = await client.orders.list({ requestId: 'order-1042' })
  return [
    { name: 'orders', path: '/_emulator/', width: 1280, height: 800 },
    { name: 'order', path: `/_emulator/ui/orders/${troubled?.orderId}`, width: 1280, height: 900 },
    { name: 'refused', path: `/_emulator/ui/requests/${refused?.id}`, width: 1280, height: 800 },
    { name: 'payment', path: `/pay/${waiting.token}`, width: 390, height: 780 },
  ]
}
