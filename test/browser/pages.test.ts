import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestEmulator } from '../support/emulator.ts'
import { violationsIn } from './support/accessible.ts'
import { startBusyWorld } from './support/busy-world.ts'
import { everyPage, type Found, pageKinds } from './support/every-page.ts'
import { newVisitor, type Visit } from './support/visit.ts'

let emulator: TestEmulator
let found: readonly Found[]

beforeAll(async () => {
  emulator = await startBusyWorld(afterAll)
  found = await everyPage(emulator, () => 2)
})

/** Looks at every page, three at a time, and answers what is wrong with each. */
async function lookAtAll(
  how: Visit,
  look: (page: Page, found: Found) => Promise<readonly string[]>,
): Promise<string[]> {
  const waiting = [...found]
  const wrong: string[] = []
  const reader = async () => {
    const page = await newVisitor(emulator, how)
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await page.goto(`${emulator.url}${next.path}`)
      wrong.push(...(await look(page, next)).map((problem) => `${next.path}: ${problem}`))
    }
  }
  await Promise.all([reader(), reader(), reader()])
  return wrong
}

test('every kind of page is linked from some other, and every link leads to a page', () => {
  expect(found.filter(({ status }) => status !== 200)).toEqual([])
  expect(pageKinds.filter((kind) => !found.some((page) => page.kind === kind))).toEqual([])
})

/** How far a page is wider than the window. */
const tooWide = async (page: Page) => {
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
  return wide > 0 ? [`${wide} pixels too wide`] : []
}

/** Words that are outside of their sentence, in table cells that a phone shows below each other. */
const fallenOut = async (page: Page) => {
  const pieces = await page.evaluate<string[]>(`{
    const leftOf = (text) => {
      const range = document.createRange()
      range.selectNode(text)
      return range.getBoundingClientRect().left
    }
    const fallenOutOf = (cell) => {
      const texts = [...cell.childNodes].filter((node) => node.nodeType === 3 && node.data.trim() !== '')
      const left = Math.min(...texts.map(leftOf))
      return [...cell.children].filter((piece) => texts.length > 0 && piece.getBoundingClientRect().left < left - 1)
    }
    const pieces = [...document.querySelectorAll('td[data-label]')].flatMap(fallenOutOf)
    pieces.map((piece) => piece.textContent)
  }`)
  return pieces.map((piece) => `not in its sentence: ${piece}`)
}

/** Adds to the flaws in a page's shape the violations that axe finds, on the first page of each kind: axe takes most of
 *  the time. */
function withViolations(shapeOf: (page: Page) => Promise<string[]>, colours: readonly ('light' | 'dark')[]) {
  const seen = new Set<string>()
  return async (page: Page, { kind }: Found) => {
    const shape = await shapeOf(page)
    if (seen.has(kind)) return shape
    seen.add(kind)
    return [...shape, ...(await violationsIn(page, colours))]
  }
}

test('every page is accessible in light and in dark colours, and never has to be scrolled sideways', async () => {
  expect(await lookAtAll({ width: 1280 }, withViolations(tooWide, ['light', 'dark']))).toEqual([])
})

test('on a phone too, where each piece of a sentence stays in it', async () => {
  const shapeOf = async (page: Page) => [...(await tooWide(page)), ...(await fallenOut(page))]
  // Colours are the same there.
  expect(await lookAtAll({ width: 390 }, withViolations(shapeOf, ['light']))).toEqual([])
})

test('without JavaScript every page can be read', async () => {
  const unreadable = async (page: Page) => {
    const heads = await page.locator('h1').count()
    const characters = (await page.locator('main').textContent())?.length ?? 0
    return heads === 1 && characters > 30 ? [] : [`${heads} headings, ${characters} characters`]
  }
  expect(await lookAtAll({ javaScript: false }, unreadable)).toEqual([])
})
