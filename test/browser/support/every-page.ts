import { dashboardPages } from '../../../src/pages/dashboard/dashboard.tsx'
import type { TestEmulator } from '../../support/emulator.ts'

/** The kinds of pages, by their paths. */
export const pageKinds: readonly string[] = [
  ...dashboardPages.map(({ path }) => `/_emulator${path}`),
  '/_emulator/docs',
  '/pay/:token',
]

/** A page that some link leads to. */
export interface Found {
  /** One of `pageKinds`. */
  readonly kind: string
  readonly path: string
  readonly status: number
}

/** Follows links from the dashboard on, and answers what they lead to: so a new page is among them by itself.
 *  @param most how many of a kind */
export async function everyPage(emulator: TestEmulator, most: (kind: string) => number): Promise<Found[]> {
  const found: Found[] = []
  const seen = new Set<string>()
  const waiting = ['/_emulator/']
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const kind = kindOf(path)
    if (kind === undefined || seen.has(path)) continue
    seen.add(path)
    if (found.filter((page) => page.kind === kind).length >= most(kind)) continue
    const { status, text } = await emulator.send(path, { method: 'GET', headers: { accept: 'text/html' } })
    found.push({ kind, path, status })
    if (kind !== '/_emulator/docs') waiting.push(...linksIn(text))
  }
  return found
}

function linksIn(html: string): string[] {
  return [...html.matchAll(/<a\s[^>]*?href="([^"#]*)/g)]
    .map(([, href = '']) => href.replaceAll('&amp;', '&').replaceAll('&#39;', "'"))
    .filter((href) => href.startsWith('/'))
}

/** The kind of a page; of a path that is none of ours undefined. */
function kindOf(path: string): string | undefined {
  const place = path.split('?')[0] ?? ''
  const known = pageKinds.find((kind) => new RegExp(`^${kind.replaceAll(/:\w+/g, '[^/]+')}$`).test(place))
  return known ?? (place.startsWith('/_emulator/ui/') ? place : undefined)
}
