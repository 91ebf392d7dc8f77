import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { inject, onTestFinished } from 'vitest'
import type { TestEmulator } from '../../support/emulator.ts'

/** Where the pages are. */
type Site = Pick<TestEmulator, 'url'>

/** Options of a visit. */
export interface Visit {
  readonly javaScript?: boolean
  readonly colours?: 'light' | 'dark'
  /** Of the window, in pixels. */
  readonly width?: number
  readonly height?: number
  /** Expected console messages: a refused page is an error to the browser. */
  readonly expected?: readonly RegExp[]
  /** Other origins that may be asked: an application that a payment leads to. */
  readonly elsewhere?: readonly string[]
}

let browser: Promise<Browser> | undefined
const complaintsIn = new WeakMap<BrowserContext, string[]>()
const forgiven = new WeakSet<BrowserContext>()

/** Opens a page of the emulator in a profile of its own. The test fails, at its end, of whatever the console
 *  complained about: errors, refusals by the content security policy, dialogs, requests to other origins. */
export async function visit(emulator: Site, path: string, how: Visit = {}): Promise<Page> {
  const page = await newVisitor(emulator, how)
  await page.goto(`${emulator.url}${path}`)
  return page
}

/** A window that shows nothing yet; pages that it opens share its profile. */
export async function newVisitor(emulator: Site, how: Visit = {}): Promise<Page> {
  browser ??= chromium.connect(inject('browserEndpoint'))
  const context = await (await browser).newContext({
    javaScriptEnabled: how.javaScript ?? true,
    colorScheme: how.colours ?? 'light',
    viewport: { width: how.width ?? 1280, height: how.height ?? 800 },
  })
  const complaints: string[] = []
  complaintsIn.set(context, complaints)
  context.on('page', (page) => watch(page, emulator.url, how, complaints))
  onTestFinished(async () => {
    await context.close()
    if (complaints.length > 0 && !forgiven.has(context))
      throw new Error(`The browser complains:\n${complaints.join('\n')}`)
  })
  return context.newPage()
}

/** The console messages so far, for a test that expects some. */
export function complaintsOf(page: Page): readonly string[] {
  forgiven.add(page.context())
  return complaintsIn.get(page.context()) ?? []
}

function watch(page: Page, origin: string, how: Visit, complaints: string[]): void {
  const origins = [origin, ...(how.elsewhere ?? [])]
  const complain = (text: string) => {
    if (!how.expected?.some((expected) => expected.test(text))) complaints.push(`${page.url()}: ${text}`)
  }
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complain(message.text())
  })
  page.on('pageerror', (error) => complain(`script failed: ${error.message}`))
  page.on('crash', () => complain('the page crashed'))
  page.on('dialog', async (dialog) => {
    complain(`dialog: ${dialog.message()}`)
    await dialog.dismiss()
  })
  page.on('request', (request) => {
    const url = request.url()
    const known = origins.some((known) => url === known || url.startsWith(`${known}/`))
    if (!known && url !== 'about:blank') complain(`request to ${url}`)
  })
}
