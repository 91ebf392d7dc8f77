const links = /(?:\]\(|src="|srcset=")(?!https?:)([^)#"]+)(?:#[^)]*)?[)"]/g

/** The paths that a page of the manual links to or shows, relative to it and without what stands after `#`. */
export const linksOf = (page: string): readonly string[] =>
  [...page.matchAll(links)].map(([, path = '']) => path)

const places = /\]\((?!https?:)([^)#]*)#([^)]+)\)/g

/** The headings that it links to: on which page, relative to it (`''` for itself), and by which name. */
export const placesOf = (page: string): readonly { path: string; name: string }[] =>
  [...page.matchAll(places)].map(([, path = '', name = '']) => ({ path, name }))

/** The names under which GitHub finds a page's headings: small letters, digits and hyphens, and no name twice. */
export function headingNames(page: string): ReadonlySet<string> {
  const names = new Set<string>()
  for (const [, heading = ''] of page.replaceAll(codeBlocks, '').matchAll(/^#{1,6} +(.*?) *#*$/gm)) {
    const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    const name = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-')
    let n = 0
    while (names.has(n === 0 ? name : `${name}-${n}`)) n += 1
    names.add(n === 0 ? name : `${name}-${n}`)
  }
  return names
}

const codeBlocks = /^```[\s\S]*?^```/gm
