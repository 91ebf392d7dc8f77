import { afterAll, expect, test } from 'vitest'
import { startTestEmulator } from '../support/emulator.ts'
import { violationsIn } from './support/accessible.ts'
import { complaintsOf, visit } from './support/visit.ts'

const emulator = await startTestEmulator({}, afterAll)

test.each([
  ['an inline script', "document.body.append(Object.assign(document.createElement('script'), {text: '1'}))"],
  ['an inline style', "document.body.setAttribute('style', 'color: red')"],
  ['a picture from elsewhere', "new Image().src = 'http://127.0.0.1:9/x.png'"],
  ['a call to elsewhere', "fetch('http://127.0.0.1:9/').catch(() => 0)"],
  ['a script that fails', "void Promise.reject(new Error('on purpose'))"],
  ['a dialog', "setTimeout(() => alert('on purpose'))"],
  ['an error in the console', "console.error('on purpose')"],
])('%s would fail a test of the pages', async (_what, script) => {
  const page = await visit(emulator, '/_emulator/ui/orders')
  await page.evaluate(`${script}; 0`)
  await expect.poll(() => complaintsOf(page)).not.toEqual([])
})

test.each(['light', 'dark'])('words that nobody can read in %s colours would too', async (colours) => {
  const page = await visit(emulator, '/_emulator/ui/orders')
  await page.evaluate(`{
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('@media (prefers-color-scheme: ${colours}) { h1 { color: #444; background: #333 } }')
    document.adoptedStyleSheets = [sheet]
  }`)
  const found = await violationsIn(page)
  expect(found).toEqual([expect.stringMatching(new RegExp(`^${colours}: color-contrast: `))])
})
