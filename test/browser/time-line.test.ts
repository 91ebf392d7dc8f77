import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sequenceSvg } from '../../src/domain/sequence/svg.ts'
import { hostileTexts, sequenceWith } from '../domain/sequence/sources.ts'
import { startTestEmulator } from '../support/emulator.ts'
import { Receiver } from '../support/receiver.ts'
import { violationsIn } from './support/accessible.ts'
import { visit } from './support/visit.ts'

const emulator = await startTestEmulator({}, afterAll)

const receiver = new Receiver()
afterAll(() => receiver.close())

/** Scenarios whose time lines look different, two of them with statuses that no drawing knows. */
const scenarios = [
  ...['happy', 'happy-instant', 'fail-9004', 'payer-decides', 'never-pays', 'refund-partial-twice'],
  ...['webhook-duplicate', 'webhook-late', 'webhook-endpoint-down', 'unknown-status', 'expired-failed'],
  'long-words',
]

beforeAll(async () => {
  await receiver.listen()
  receiver.answerWith({ status: 204 })
  await emulator.addClient({ clientId: 'C1', webhookUrl: receiver.url })
  const text = JSON.stringify({
    ...{ id: 'long-words', description: 'words' },
    timeline: [
      { at: '0s', order: 'A_VERY_LONG_STATUS_THAT_FITS_NOWHERE_AT_ALL', force: true },
      { at: '1h', order: 'ANOTHER_LONG_STATUS_IN_CAPITALS_ONLY', force: true },
    ],
  })
  const body = { method: 'PUT', headers: { 'content-type': 'application/yaml' }, body: text }
  expect((await emulator.send('/_emulator/scenarios/long-words', body)).status).toBe(200)
})

/** Orders of all scenarios, created now.
 *  @returns the ids of the orders */
async function makeOrders(prefix: string): Promise<string[]> {
  const ids: string[] = []
  for (const scenario of scenarios) {
    const order = { clientId: 'C1', requestId: `${prefix}-${scenario}`, scenario }
    ids.push(String((await emulator.control('/orders', 'POST', order)).json.orderId))
  }
  return ids
}

const advance = (by: string) => emulator.control('/clock/advance?clientId=C1', 'POST', { by })
const pathOf = (orderId: string | undefined) => `/_emulator/ui/orders/${orderId}`

/** The drawing of an order, as its page has it. */
async function drawingOf(orderId: string): Promise<string> {
  const { text } = await emulator.send(pathOf(orderId), { method: 'GET' })
  const [drawing] = /<section class="time-line .*?<\/section>/s.exec(text) ?? []
  if (drawing === undefined) throw new Error(`The page of ${orderId} has no drawing`)
  return drawing
}

/** The labels of the drawing that a border clips, that the line of the present crosses, or that lie on another. */
const badLabels = (drawing: Locator) =>
  drawing.evaluate((svg) => {
    const frame = svg.getBoundingClientRect()
    const now = svg.querySelector('line.now')?.getBoundingClientRect()
    const labels = [...svg.querySelectorAll('text:not(.inside, .now-word, .point-card *)')].map((label) => ({
      words: label.textContent ?? '',
      box: label.getBoundingClientRect(),
    }))
    const found: string[] = []
    for (const { words, box } of labels) {
      if (box.left < frame.left || box.right > frame.right || box.top < frame.top)
        found.push(`${words} clipped`)
      if (now !== undefined && box.left < now.right && now.left < box.right && box.bottom > now.top)
        found.push(`${words} crossed`)
    }
    for (const [index, { words, box }] of labels.entries())
      for (const other of labels.slice(index + 1)) {
        const { left, right, top, bottom } = other.box
        // Lines of text have some room above and below their letters.
        const isAbove = box.bottom - 2 <= top || bottom <= box.top + 2
        if (!isAbove && box.left < right && left < box.right) found.push(`${words} on ${other.words}`)
      }
    const ticks = [...svg.querySelectorAll('.moment text')].map(({ textContent }) => textContent ?? '')
    for (const tick of ticks) if (ticks.indexOf(tick) !== ticks.lastIndexOf(tick)) found.push(`${tick} twice`)
    return { found, count: labels.length }
  })

test('no label is clipped, crossed by the present or laid on another, and no two ticks are the same', async () => {
  const ids = await makeOrders('labels')
  // The drawing is the same without scripts, and beside others on one page, which saves a visit for each.
  const page = await visit(emulator, pathOf(ids[0]), { javaScript: false })
  let count = 0
  // From the very moment of the change to months later.
  for (const by of ['0s', '1s', '4s', '20m', 'P2M']) {
    if (by !== '0s') await advance(by)
    const drawings = await Promise.all(ids.map(drawingOf))
    await page.locator('section.time-line').evaluateAll((sections, html) => {
      for (const section of sections.slice(1)) section.remove()
      if (sections[0]) sections[0].outerHTML = html
    }, drawings.join(''))
    for (const [index, orderId] of ids.entries()) {
      const labels = await badLabels(page.locator('section.time-line svg').nth(index))
      expect(labels.found, `${orderId} after ${by}`).toEqual([])
      count += labels.count
    }
  }
  expect(count).toBeGreaterThan(400)
})

test('a point shows its card to the mouse, and without scripts too', async () => {
  const [orderId] = await makeOrders('mouse')
  await advance('10s')
  for (const javaScript of [true, false]) {
    const page = await visit(emulator, pathOf(orderId), { javaScript })
    const point = page.locator('.time-line a', { has: page.locator('.mark.webhook') }).first()
    const card = point.locator('.point-card')
    expect(await card.isVisible()).toBe(false)
    await point.locator('.mark').hover()
    expect(await card.isVisible()).toBe(true)
    expect(await card.textContent()).toMatch(/Webhook CREATED, attempt 1: ?accepted \(204\)2026-0\d-\d\d /)
    // It lies within the picture, and nothing lies over it.
    const box = await card.boundingBox()
    const frame = await page.locator('.time-line svg').boundingBox()
    expect(box?.x).toBeGreaterThanOrEqual(frame?.x ?? Infinity)
    expect(box?.y).toBeGreaterThanOrEqual(frame?.y ?? Infinity)
    await point.locator('.mark').click()
    await page.waitForURL(/\/ui\/deliveries\/[^?]+\?attempt=1#attempt$/)
  }
})

test('with the keyboard a point gets the focus, shows its card, and Enter follows its link', async () => {
  const [orderId] = await makeOrders('keyboard')
  await advance('10s')
  const page = await visit(emulator, pathOf(orderId))
  await page.locator('section.time-line').focus()
  await page.keyboard.press('Tab')
  const focused = page.locator('.time-line a:focus')
  expect(await focused.getAttribute('aria-label')).toMatch(
    /^created.*, 2026-0\d-\d\d \d\d:\d\d:\d\d \(.*ago\)/,
  )
  expect(await focused.locator('.point-card').isVisible()).toBe(true)
  await page.keyboard.press('Enter')
  await page.waitForURL(/#story-history-0$/)
  expect(await page.locator('tr:target').textContent()).toContain('created')
  expect(await violationsIn(page)).toEqual([])
})

test('lists have a small time line for each order and each scenario', async () => {
  const page = await visit(emulator, '/_emulator/ui/scenarios')
  const listed = await page.locator('.scenario').count()
  expect(await page.locator('.scenario .time-line-small').count()).toBeGreaterThan(listed / 2)
  const happy = page.locator('#scenario-happy .time-line-small')
  expect(await happy.getAttribute('aria-label')).toBe(
    'Time line: created after 0 ms, pay completed after 2 s, order COMPLETED after 5 s',
  )
  await page.goto(`${emulator.url}/_emulator/ui/orders`)
  const rows = await page.locator('table.orders tbody tr').count()
  expect(rows).toBeGreaterThan(10)
  expect(await page.locator('table.orders .time-line-small').count()).toBe(rows)
  const outside = await page.locator('.time-line-small').evaluateAll(
    (pictures) =>
      pictures.flatMap((svg) => {
        const frame = svg.getBoundingClientRect()
        return [...svg.querySelectorAll('.mark, .leg rect')].filter((mark) => {
          const box = mark.getBoundingClientRect()
          return box.left < frame.left || box.right > frame.right
        })
      }).length,
  )
  expect(outside).toBe(0)
})

test('the sequence scrolls within its box on a phone, and its words link to what it shows', async () => {
  const [orderId] = await makeOrders('phone')
  await advance('10s')
  const page = await visit(emulator, pathOf(orderId), { width: 390, javaScript: false })
  const [wide, room] = await page.locator('html').evaluate((html) => [html.scrollWidth, html.clientWidth])
  expect(wide).toBe(room)
  const [inside, box] = await page
    .locator('.sequence-box')
    .evaluate((element) => [element.scrollWidth, element.clientWidth])
  expect(inside).toBeGreaterThan(box ?? Infinity)
  await page.getByText('In words').click()
  await page.getByRole('link', { name: 'Service to Webhook URL: webhook COMPLETED' }).click()
  expect(page.url()).toContain('/ui/deliveries/')
})

test('no word of the sequence is wider than the room between two lanes', async () => {
  const page = await visit(emulator, '/_emulator/ui/orders')
  for (const orderId of await makeOrders('words')) {
    await page.goto(`${emulator.url}${pathOf(orderId)}`)
    const wide = await page
      .locator('.sequence [data-message] text')
      .evaluateAll((texts) =>
        texts
          .filter(
            (text) => !text.classList.contains('sequence-time') && text.getBoundingClientRect().width > 200,
          )
          .map(({ textContent }) => textContent),
      )
    expect(wide).toEqual([])
  }
})

test('the downloaded picture stands alone: it opens as a document, with its own colours', async () => {
  const [orderId] = await makeOrders('file')
  await advance('10s')
  const page = await visit(emulator, pathOf(orderId))
  const coming = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download SVG' }).click()
  const download = await coming
  expect(download.suggestedFilename()).toBe(`order-${orderId}.svg`)
  let text = ''
  for await (const part of await download.createReadStream()) text += part
  await page.goto(`${emulator.url}/_emulator/orders/${orderId}/sequence?format=svg`)
  const root = page.locator(':root')
  expect(await root.evaluate(({ namespaceURI }) => namespaceURI)).toBe('http://www.w3.org/2000/svg')
  expect(await root.evaluate(({ outerHTML }) => outerHTML)).toBe(text)
  expect(await page.getByText('webhook COMPLETED', { exact: true }).first().isVisible()).toBe(true)
})

test('hostile texts are words in the picture, whatever they are', async () => {
  const page = await visit(emulator, '/_emulator/ui/orders')
  for (const text of hostileTexts) {
    const svg = sequenceSvg(sequenceWith(text))
    const problem = await page.locator('body').evaluate(({ ownerDocument: document }, given) => {
      const view = document.defaultView
      const parsed = view && new view.DOMParser().parseFromString(given, 'image/svg+xml')
      const inPage = document.createElement('div')
      inPage.innerHTML = given
      return [
        ...(parsed?.querySelectorAll('parsererror, script, foreignObject, image, a, style') ?? ['no parser']),
        ...inPage.querySelectorAll(':not(svg, svg *)'),
      ].length
    }, svg)
    expect(problem, text).toBe(0)
  }
})
