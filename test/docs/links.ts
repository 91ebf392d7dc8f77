const links = /(?:\]\(|src="|srcset=")(?!https?:)([^)#"]+)(?:#[^)]*)?[)"]/g

/** The paths that a page of the manual links to or shows, relative to it and without what stands after `#`. */
export const linksOf = (page: string): readonly string[] =>
  [...page.matchAll(links)].map(([, path = '']) => path)
