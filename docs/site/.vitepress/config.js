import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitepress'

const pages = join(import.meta.dirname, '..', '.pages')
const read = (page) => readFileSync(join(pages, page), 'utf8')
const titleOf = (page) => /^# (.+)$/m.exec(read(page))[1].replaceAll('`', '')

const groups = ['start', 'how-to', 'reference', 'explanation'].map((group) => {
  const index = `${group}/index.md`
  const links = [...read(index).matchAll(/\]\(\.\/([\w-]+)\.md\)/g)]
  const items = links.map(([, name]) => ({ text: titleOf(`${group}/${name}.md`), link: `/${group}/${name}` }))
  return { text: titleOf(index), link: `/${group}/`, items }
})

export default defineConfig({
  title: 'payment-order-emulator',
  description: 'A local stand-in for a payment provider, to test orders, webhooks and failures.',
  base: process.env.DOCS_BASE ?? '/',
  head: [['link', { rel: 'icon', href: `${process.env.DOCS_BASE ?? '/'}icon.svg` }]],
  srcDir: '.pages',
  srcExclude: ['public/**'],
  outDir: '.dist',
  cacheDir: 'node_modules/.vitepress',
  lastUpdated: false,
  markdown: { anchor: { slugify } },
  // The whole reference of the library is one page.
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  themeConfig: {
    nav: groups.map(({ text, link }) => ({ text, link, activeMatch: `^${link}` })),
    sidebar: groups.map((group) => ({ ...group, collapsed: false })),
    outline: [2, 3],
    search: { provider: 'local' },
  },
})

/** The names of headings as GitHub makes them, so that a link works on both. */
function slugify(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-')
}
