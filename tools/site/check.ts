import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

const reference = /\b(?:href|src)="([^"]*)"/g
const loadedFromElsewhere =
  /<(?:img|link|script|source|iframe)\b[^>]*\b(?:href|src|srcset)="(?:https?:)?\/\/[^"]*"|url\(["']?(?:https?:)?\/\/[^)]*\)/g

/** Finds dead links of built pages: missing files, missing anchors, and external resources.
 *  @param base path under which a server has the pages, with a slash at both ends */
export function problemsOf(folder: string, base = '/'): string[] {
  const files = globSync('**/*', { cwd: folder }).map((name) => name.replaceAll('\\', '/'))
  const texts = files.filter((name) => /\.(html|css)$/.test(name))
  const pages = new Map(texts.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
  const places = new Map([...pages].map(([name, text]) => [name, placesOf(text)]))
  const problemOf = (name: string, url: string): string[] => {
    if (/^(https?|mailto|data):/.test(url)) return []
    const [path = '', place] = decodeURI(url.replaceAll('&amp;', '&')).split('#')
    const target = path === '' ? name : fileAt(name, path, base)
    if (!files.includes(target)) return [`${name} leads to ${url}, which is not there`]
    const isPlace = !place || (places.get(target)?.has(place) ?? true)
    return isPlace ? [] : [`${name} leads to ${url}: the page has no such place`]
  }
  return [...pages].flatMap(([name, text]) => [
    ...[...text.matchAll(reference)].flatMap(([, url = '']) => problemOf(name, url)),
    ...[...text.matchAll(loadedFromElsewhere)].map(([found]) => `${name} loads from elsewhere: ${found}`),
  ])
}

const placesOf = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/\bid="([^"]*)"/g)].map(([, id = '']) => id))

function fileAt(from: string, path: string, base: string): string {
  const full = path.startsWith(base) ? path.slice(base.length) : posix.join(posix.dirname(from), path)
  return full === '' || full.endsWith('/') ? `${full}index.html` : full
}
