import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
const groups = ['start', 'how-to', 'reference', 'explanation']

/** `docs/llms.txt`: what this is, and each page with one line, as llmstxt.org describes it. */
export function llmsText(): string {
  const readme = read('README.md')
  const [, what = '', which = ''] = /^# .+\n\n(.+)\n\n(.+)\n/.exec(readme) ?? []
  const parts = groups.map((group) => {
    const lines = pagesOf(group).map(
      (file) => `- [${titleOf(read(file))}](${posix.relative('docs', file)}): ${firstSentence(read(file))}`,
    )
    return `## ${titleOf(read(indexOf(group)))}\n\n${lines.join('\n')}`
  })
  return `${[`# ${titleOf(readme)}`, `> ${what}`, plain(which), running, ...parts].join('\n\n')}\n`
}

const running = `All pages in one file: \`llms-full.txt\` on the documentation site. A skill for agents: \`skills/payment-order-emulator/SKILL.md\` in the package. A running emulator answers \`/llms.txt\` with its calls, the credentials of its demo client, and how to sign.`

/** `llms-full.txt`: README and all pages in one text. */
export function llmsFullText(): string {
  return manualPages()
    .map((file) => `<!-- ${file} -->\n\n${read(file).trim()}\n`)
    .join('\n')
}

/** The README and all pages, in the order in which they are read. */
export const manualPages = (): string[] => [
  ...['README.md', 'docs/index.md'],
  ...groups.flatMap((group) => [indexOf(group), ...pagesOf(group)]),
]

/** The pages that the index of a group lists, in its order. */
function pagesOf(group: string): string[] {
  const links = read(indexOf(group)).matchAll(/\]\(([\w./-]+\.md)\)/g)
  const pages = [...links].map(([, path = '']) => posix.join('docs', group, path))
  const others = groups.filter((other) => other !== group)
  return [...new Set(pages)].filter((page) => !others.some((other) => page.startsWith(`docs/${other}/`)))
}

const indexOf = (group: string): string => `docs/${group}/index.md`

const titleOf = (page: string): string => plain(/^# (.+)$/m.exec(page)?.[1] ?? '')

/** The first sentence of a page, which says what the page is for. A very short sentence takes the next one along. */
function firstSentence(page: string): string {
  const [, paragraph = ''] = /^# .+\n\n(?:\*\*\w+\.\*\* )?(.+)\n/.exec(page) ?? []
  const [first = '', second = ''] = plain(paragraph).split(/(?<=\.) (?=[A-Z])/)
  const sentence = first.length < 25 ? `${first} ${second}` : first
  return sentence.replace(/:$/, '.')
}

/** Without links: they are relative to another file. */
const plain = (text: string): string => text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}
