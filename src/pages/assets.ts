import { createHash } from 'node:crypto'
import { Hono } from 'hono'
import { assetTexts } from './asset-texts.ts'

interface Asset {
  readonly type: string
  readonly text: string
  readonly tag: string
}

/** Serves stylesheet and scripts. They are public, so no guard applies. */
export function createAssets(): Hono {
  const app = new Hono()
  let reading: Promise<ReadonlyMap<string, Asset>> | undefined
  app.get('/:name', async (c) => {
    reading ??= readAssets()
    const asset = (await reading).get(c.req.param('name'))
    if (asset === undefined) return c.notFound()
    const { type, text, tag } = asset
    const headers = { etag: tag, 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' }
    if (c.req.header('if-none-match') === tag) return c.body(null, 304, headers)
    return c.body(text, 200, { ...headers, 'content-type': `${type}; charset=utf-8` })
  })
  return app
}

/** Answers `/llms.txt`, which introduces the emulator to agents: a public text without secrets. */
export async function introduction(): Promise<Response> {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }
  return new Response((await assetTexts())['llms.txt'], {
    headers: { ...headers, 'cache-control': 'no-cache' },
  })
}

/** Reads the scripts, the pictures and the one stylesheet. */
async function readAssets(): Promise<ReadonlyMap<string, Asset>> {
  const texts = Object.entries(await assetTexts())
  const ending = (wanted: string, type: string) =>
    texts
      .filter(([name]) => name.endsWith(wanted))
      .map(([name, text]) => [name, assetOf(type, text)] as const)
  return new Map([
    ['pages.css', assetOf('text/css', stylesheet(texts))],
    ...ending('.js', 'text/javascript'),
    ...ending('.svg', 'image/svg+xml'),
  ])
}

/** Joins the parts of the stylesheet, the shared one first. */
function stylesheet(texts: readonly (readonly [name: string, text: string])[]): string {
  const parts = texts.filter(([name]) => name.endsWith('.css')).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const isShared = ([name]: readonly [string, string]) => name === 'base.css'
  return [...parts.filter(isShared), ...parts.filter((part) => !isShared(part))]
    .map(([, text]) => text)
    .join('\n')
}

const assetOf = (type: string, text: string): Asset => ({
  type,
  text,
  tag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`,
})
