/** The characters that begin markup in a line of GitHub's Markdown: code, emphasis, links, HTML, table cells and
 *  formulas. */
const special = /[\\`*_[\]<>&|~$#!@]|:(?=\/\/)|(?<=www)\./gi

/** Escapes a text for GitHub's Markdown, so that it shows as it is. Line breaks become spaces. Do not begin a line
 *  with it: a `-` there would be a list. */
export const markdownText = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll(special, (character) => `\\${character}`)

/** Puts a text into a code block that it cannot end. */
export function codeBlock(text: string, language = 'text'): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}
