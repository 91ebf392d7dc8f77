import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, extname, join, posix } from 'node:path'
import { llmsFullText, manualPages } from '../docs/llms.ts'
import { asPictures, diagramsFolder } from './diagrams.ts'
import { inProse, linked, pageOf, targetsOf } from './map.ts'
import { startTabs, withStartTabs } from './start-forms.ts'

const root = join(import.meta.dirname, '..', '..')

/** Foreign files that a folder may contain: see `files` in package.json. */
const notOurs = /^(node_modules|__pycache__|test-results|target|\.gitignore|package-lock\.json)$|\.tgz$/

/** Languages of code blocks, where the file's name ends otherwise. */
const languages: Readonly<Record<string, string>> = {
  mjs: 'js',
  patch: 'diff',
  yml: 'yaml',
  mod: 'txt',
  LICENSE: 'txt',
}

/** Writes the pages of the site: the manual, made of the same Markdown, and the sources that it links to. Beside each page
 *  of the manual lies its Markdown, for agents.
 *  @returns how many of each there are */
export function writePages(folder: string): { manual: number; sources: number } {
  rmSync(folder, { recursive: true, force: true })
  const manual = [...manualPages(), 'CHANGELOG.md']
  const rest = globSync('docs/**/*.md', { cwd: root, exclude: ['docs/site/**'] })
  const lost = rest.filter((file) => !manual.includes(file))
  if (lost.length > 0) throw new Error(`No index lists ${lost.join(', ')}`)
  const write = (path: string, text: string) => {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const wanted = new Set<string>()
  const take = (file: string): string => {
    const markdown = read(file)
    for (const target of targetsOf(markdown, file)) if (!manual.includes(target)) wanted.add(target)
    return linked(markdown, file, isFolder)
  }
  for (const file of manual) {
    const markdown = take(file)
    write(pageOf(file, false), forSite(markdown, file))
    write(join('public', pageOf(file, false)), markdown)
  }
  // A set hands out what is added while it is read.
  for (const file of wanted) {
    const head = '---\n{ search: false, sidebar: false, aside: false, prev: false, next: false }\n---\n\n'
    write(pageOf(file, isFolder(file)), `${head}${otherPage(file, take, wanted)}`)
  }
  cpSync(join(root, 'docs', 'images'), join(folder, 'images'), { recursive: true })
  if (existsSync(diagramsFolder)) cpSync(diagramsFolder, join(folder, 'diagrams'), { recursive: true })
  cpSync(join(root, 'src', 'pages', 'assets', 'icon.svg'), join(folder, 'public', 'icon.svg'))
  cpSync(join(root, 'docs', 'llms.txt'), join(folder, 'public', 'llms.txt'))
  write(join('public', 'llms-full.txt'), llmsFullText())
  return { manual: manual.length, sources: wanted.size }
}

/** A page beside the manual: an example's README, a folder or a source. */
function otherPage(file: string, take: (file: string) => string, wanted: Set<string>): string {
  if (isFolder(file)) return forSite(folderPage(file, take, wanted), file)
  return file.endsWith('.md') ? forSite(take(file), file) : sourcePage(file)
}

/** Converts a page for the site, where it differs from GitHub. */
function forSite(markdown: string, file: string): string {
  const up = posix.relative(posix.dirname(pageOf(file, false)), '.')
  const page = file === 'README.md' ? startTabs(markdown) : markdown
  const withBlocks = page.replaceAll(/^```[\s\S]*?^```$/gm, (block) =>
    asPictures(withStartTabs(block), up === '' ? './' : `${up}/`),
  )
  return inProse(withBlocks, (prose) =>
    prose
      .replaceAll(/^<!--.*?-->\n/gm, '')
      .replaceAll(/<picture>(.*?)<\/picture>/g, (_, picture: string) => bothColours(picture)),
  )
}

/** The site has a switch for the colours, so it cannot leave the choice to the browser. */
function bothColours(picture: string): string {
  const [, dark = ''] = /srcset="([^"]*)"/.exec(picture) ?? []
  const [, light = ''] = /src="([^"]*)"/.exec(picture) ?? []
  const [, alt = ''] = /alt="([^"]*)"/.exec(picture) ?? []
  return `<img class="light-only" src="${light}" alt="${alt}"><img class="dark-only" src="${dark}" alt="${alt}">`
}

function folderPage(folder: string, take: (file: string) => string, wanted: Set<string>): string {
  const readme = posix.join(folder, 'README.md')
  const names = readdirSync(join(root, folder)).filter((name) => !notOurs.test(name) && name !== 'README.md')
  const lines = names.toSorted().map((name) => {
    const path = posix.join(folder, name)
    wanted.add(path)
    return `- [${name}](./${posix.relative(folder, pageOf(path, isFolder(path)))})`
  })
  const head = existsSync(join(root, readme)) ? `${take(readme)}\n\n## Files` : `# ${folder}`
  return `${head}\n\n${lines.join('\n')}\n`
}

function sourcePage(file: string): string {
  const ending = extname(file).slice(1) || posix.basename(file)
  return `# ${posix.basename(file)}\n\n\`${file}\`\n\n\`\`\`\`${languages[ending] ?? ending}\n${read(file)}\n\`\`\`\`\n`
}

const isFolder = (path: string): boolean => statSync(join(root, path)).isDirectory()

const read = (file: string): string => readFileSync(join(root, file), 'utf8')
