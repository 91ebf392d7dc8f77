import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestEmulator, type TestEmulator } from '../support/emulator.ts'
import { startReceiver } from '../support/receiver.ts'
import { everyPage } from './support/every-page.ts'
import { payloads } from './support/payloads.ts'
import { newVisitor, visit } from './support/visit.ts'

/** Adds a number to each payload to tell them apart; a scheme must stay at the start. */
const texts = payloads.map((text, n) => (text.startsWith('javascript:') ? `${text}p${n}q` : `p${n}q${text}`))
const text = (n: number): string => texts[n % texts.length] ?? ''

/** As an id may be: no blanks, nothing but ASCII. */
const printable = (text: string): string => text.replaceAll(/[^\x21-\x7e]/g, '/')

let emulator: TestEmulator

beforeAll(async () => {
  emulator = await startTestEmulator({}, afterAll)
  await fill(emulator)
})

/** Puts payloads into everything that the emulator keeps and shows, and all of them into the newest order. */
async function fill(emulator: TestEmulator): Promise<void> {
  const client = await emulator.addClient({
    clientId: printable(text(7)),
    webhookUrl: `http://127.0.0.1:9/${encodeURI(text(8))}`,
    settings: { errors: { catalog: { e1: text(10), '9004': text(11) } } },
  })
  const { clientId } = client
  await emulator.addClient({ clientId: printable(text(30)) })
  for (let n = 0; n < texts.length; n += 4) {
    await emulator.control('/orders', 'POST', {
      ...{ clientId, requestId: text(n), userMessage: text(n + 1), requestDescription: text(n + 2) },
      ...{
        email: `${text(n + 3).replaceAll(/[\s@\p{Cc}]/gu, '/')}@example.com`,
        paymentMethodId: text(n + 4),
      },
      metadata: { [text(n + 5)]: text(n + 6), deep: [text(n + 7)] },
    })
    await emulator.send(`/v1/${encodeURIComponent(text(n))}?q=${encodeURIComponent(text(n + 1))}`, {
      method: 'POST',
      headers: { 'x-note': text(n + 2).replaceAll(/[^\x20-\x7e]/g, ''), 'access-token': client.accessToken },
      body: text(n + 3),
    })
  }
  await emulator.control('/orders', 'POST', { clientId, metadata: { all: texts } })
  for (let n = 0; n < 30; n += 1) {
    await emulator.control('/deliveries', 'POST', { clientId, body: { [text(n)]: text(n + 1) } })
    await emulator.control('/faults', 'POST', {
      ...{ clientId, on: 'create-order', where: { requestId: text(n) } },
      effect: { status: 503, body: { message: text(n + 1) } },
    })
    await emulator.control('/scenarios/next', 'POST', {
      scenario: 'happy',
      clientId,
      requestId: `${text(n)}!`,
    })
    await emulator.control(`/scenarios/hostile-${n}`, 'PUT', {
      ...{ id: `hostile-${n}`, description: text(n), tests: text(n + 1) },
      timeline: [{ at: '2s', order: 'COMPLETED' }],
    })
  }
  await emulator.control('/deliveries/hold', 'POST', { where: { requestId: text(40) } })
  await emulator.control('/clock/advance', 'POST', { by: '10s' })
}

/** A script that finds elements which no page has of its own. */
const strangers = `(() => {
  const found = []
  const own = ['/pay/assets/live.js', '/pay/assets/clocks.js', '/pay/assets/payment.js']
  for (const element of document.querySelectorAll('*')) {
    const name = element.localName
    if (name === 'script' && !own.includes(new URL(element.src, 'http://none').pathname)) found.push('script')
    if (/^(iframe|object|embed|base|img|image|video|audio|style|animate|set|foreignobject|use|math|marquee|frame|template)$/i.test(name)) found.push(name)
    if (name === 'meta' && element.httpEquiv !== '' && !location.pathname.startsWith('/pay/')) found.push('meta')
    for (const { name: attribute, value } of element.attributes) {
      if (/^on/.test(attribute) || /^(data-)?hx-(?!ignore$)/.test(attribute)) found.push(attribute)
      if (['style', 'srcdoc', 'xlink:href'].includes(attribute)) found.push(attribute)
      if (!['href', 'src', 'action', 'formaction'].includes(attribute)) continue
      const { protocol, origin } = new URL(value, location.href)
      if (!/^https?:$/.test(protocol) || (name !== 'a' && origin !== location.origin)) found.push(value)
    }
  }
  return found
})()`

/** A script that returns foreign elements and the text of a page. */
const read = `[${strangers}, document.body.textContent]`
const readAfterAsking = `import('/pay/assets/refresh.js').then((refresh) => refresh.askNow()).then(() => ${read})`

/** Opens pages three at a time, has each changed once by what comes from the emulator, and answers what is on them
 *  that should not be, and which payloads they show. */
async function look(paths: readonly string[]): Promise<{ found: string[]; shown: Set<string> }> {
  const waiting = [...paths]
  const found: string[] = []
  const shown = new Set<string>()
  const reader = async (page: Page) => {
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      await page.goto(`${emulator.url}${path}`, { waitUntil: 'domcontentloaded' })
      const isLive = path.startsWith('/_emulator/ui/orders') && !path.startsWith('/_emulator/docs')
      const [strange, words] = await page.evaluate<[string[], string]>(isLive ? readAfterAsking : read)
      found.push(...strange.map((what) => `${path}: ${what}`))
      for (const [name] of words.matchAll(/p\d+q/g)) shown.add(name)
    }
  }
  await Promise.all([1, 2, 3].map(async () => reader(await newVisitor(emulator))))
  return { found, shown }
}

test(`${payloads.length} payloads, in all that is stored, are text on every page`, async () => {
  const pages = (await everyPage(emulator, () => 3)).filter(({ status }) => status === 200)
  const { found, shown } = await look(pages.map(({ path }) => path))
  expect(found).toEqual([])
  expect(texts.filter((_, n) => !shown.has(`p${n}q`))).toEqual([])
})

test('what a receiver answers is text on the page of the webhook', async () => {
  const receiver = await startReceiver()
  const { clientId } = await emulator.addClient({ webhookUrl: receiver.url })
  const answers = answersOf(texts)
  for (const [n, body] of answers.entries()) {
    receiver.answerWith({ status: 500, headers: { 'content-type': 'text/html' }, body })
    await emulator.control('/orders', 'POST', { clientId, requestId: `answered-${n}` })
    await receiver.received(n + 1)
  }
  const { items } = await emulator.control(`/deliveries?clientId=${encodeURIComponent(clientId)}`)
  const paths = Object(items).map(({ id }: { id: string }) => `/_emulator/ui/deliveries/${id}`)
  const { found, shown } = await look(paths)
  expect(found).toEqual([])
  expect(texts.filter((_, n) => !shown.has(`p${n}q`))).toEqual([])
})

/** As few answers as hold all of the texts; of each 4 KiB are kept. */
function answersOf(texts: readonly string[]): string[] {
  const answers = ['']
  for (const text of texts) {
    const last = answers.at(-1) ?? ''
    if (Buffer.byteLength(`${last}${text}`) > 4_000) answers.push(text)
    else answers[answers.length - 1] = `${last}\n${text}`
  }
  return answers
}

test('what does not belong to a page is noticed', async () => {
  // The browser refuses the handler, and says so before the page is closed or not.
  const page = await visit(emulator, '/_emulator/ui/orders', { expected: [/inline event handler/] })
  await page.evaluate(
    `document.body.insertAdjacentHTML('beforeend', '<p onclick=1><a href="javascript:1">x</a><img>')`,
  )
  expect(await page.evaluate<string[]>(strangers)).toEqual(['onclick', 'javascript:1', 'img'])
})

test('what an address carries is text on the page that it leads to', async () => {
  const paths = Array.from({ length: 10 }, (_, at) => {
    const n = at * 50
    const query = { search: text(n), note: text(n + 10), status: text(n + 20), [text(n + 30)]: text(n + 40) }
    return `/_emulator/ui/orders?${new URLSearchParams(query)}`
  })
  expect((await look(paths)).found).toEqual([])
})
