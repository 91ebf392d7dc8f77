import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startFixture } from '../support/emulator.ts'
import { visit } from './support/visit.ts'

async function aList() {
  const { emulator, c1 } = await startFixture()
  for (const id of ['r1', 'r2', 'r3']) await c1.createCheckout(id)
  const page = await visit(emulator, '/_emulator/ui/orders')
  await page.locator('#pulse[data-state="live"]').waitFor()
  return { emulator, c1, page }
}

const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent.trim()')

test('the first key leads to the content, past the header', async () => {
  const { page } = await aList()
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('Skip to the content')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await page.evaluate("document.getElementById('main').contains(document.activeElement)")).toBe(true)
})

test('a slash leads to the search, j and k through the rows', async () => {
  const { page } = await aList()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  expect(await focused(page)).toBe('r2')
  await page.keyboard.press('k')
  expect(await focused(page)).toBe('r3')
  await page.keyboard.press('/')
  await page.keyboard.type('r2/jk')
  expect(await page.locator('.tools input[type="search"]').inputValue()).toBe('r2/jk')
})

test('keys can be switched off, and stay off', async () => {
  const { page } = await aList()
  await page.getByRole('checkbox', { name: 'Keys' }).uncheck()
  await page.reload()
  await page.locator('#pulse[data-state="live"]').waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('p')
  expect(await page.evaluate('document.activeElement.tagName')).toBe('BODY')
  expect(await page.locator('#pulse').getAttribute('data-state')).toBe('live')
})

test('everything that takes the focus shows it', async () => {
  const { page } = await aList()
  const unseen: string[] = []
  for (let n = 0; n < 40; n += 1) {
    await page.keyboard.press('Tab')
    const [name, outline] = await page.evaluate<[string, string]>(
      '[document.activeElement.outerHTML.slice(0, 80), getComputedStyle(document.activeElement).outlineStyle]',
    )
    if (outline === 'none' && !name.startsWith('<body')) unseen.push(name)
  }
  expect(unseen).toEqual([])
})

test('the focus stays where it was when its row goes', async () => {
  const { emulator, page } = await aList()
  await page.getByRole('link', { name: 'r2' }).focus()
  await emulator.control('/reset', 'POST', {})
  await page.getByRole('link', { name: 'r2' }).waitFor({ state: 'detached', timeout: 8_000 })
  expect(await page.evaluate("document.activeElement.closest('main') !== null")).toBe(true)
})

test('without JavaScript all places of the menu are in sight on a phone', async () => {
  const { emulator } = await startFixture()
  const page = await visit(emulator, '/_emulator/ui/world', { javaScript: false, width: 390 })
  const boxes = await Promise.all((await page.locator('.top nav a').all()).map((link) => link.boundingBox()))
  expect(boxes.filter((box) => box === null || box.x < 0 || box.x + box.width > 390)).toEqual([])
  expect(boxes.length).toBeGreaterThan(8)
})
