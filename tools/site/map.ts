import { posix } from 'node:path'

/** Where the site has a file or folder of the project, as a page: the manual at the top, the README as its home page, and
 *  sources that the manual links to under their own paths. */
export function pageOf(path: string, isFolder: boolean): string {
  if (path === 'README.md') return 'index.md'
  if (path === 'docs/index.md') return 'overview.md'
  const inManual = path.replace(/^docs\//, '')
  if (isFolder) return posix.join(inManual, 'index.md')
  if (!inManual.endsWith('.md')) return `${inManual}.md`
  return inManual.replace(/(^|\/)README\.md$/, '$1index.md')
}

/** A page in parts: prose at even places, code blocks at odd ones. */
const partsOf = (page: string): string[] => page.split(/(^```[\s\S]*?^```$)/m)

/** Changes the prose of a page and leaves its code alone. */
export const inProse = (page: string, change: (prose: string) => string): string =>
  partsOf(page)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('')

const link = /(\]\(|src="|srcset=")(?![a-z]+:|#)([^)#"]+)((?:#[^)"]*)?[)"])/g

/** A page whose links lead to pages of the site.
 *  @param file of the page in the project
 *  @param isFolder asked about each path that it links to, from the project's root */
export function linked(markdown: string, file: string, isFolder: (path: string) => boolean): string {
  const from = posix.dirname(pageOf(file, false))
  return inProse(markdown, (prose) =>
    prose.replaceAll(link, (_, begin: string, path: string, end: string) => {
      const target = posix.join(posix.dirname(file), path).replace(/\/$/, '')
      const page = begin === '](' ? pageOf(target, isFolder(target)) : target.replace(/^docs\//, '')
      const relative = posix.relative(from, page)
      return `${begin}${relative.startsWith('.') ? relative : `./${relative}`}${end}`
    }),
  )
}

/** The files and folders that a page links to, from the project's root. */
export function targetsOf(markdown: string, file: string): string[] {
  const found: string[] = []
  inProse(markdown, (prose) => {
    for (const [, begin, path = ''] of prose.matchAll(link))
      if (begin === '](') found.push(posix.join(posix.dirname(file), path).replace(/\/$/, ''))
    return prose
  })
  return found
}
