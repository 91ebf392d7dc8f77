import { globSync, readFileSync } from 'node:fs'
import { blocksOf } from '../../test/docs/guide.ts'

const root = new URL('../../', import.meta.url)
/** The source files of the package's entries. */
const sources = new Map([
  ['payment-order-emulator', '../../src/index.ts'],
  ['payment-order-emulator/conform', '../../src/conform/index.ts'],
])

/** The TypeScript of the guides as a test file, so that it is compiled and run. A block that has tests stands as it is;
 *  any other is what a test does that has an emulator and a client. */
export function libraryGuideTests(): string {
  // The recipes for CI are files of examples/, and are tested there.
  const guides = globSync('docs/**/*.md', { cwd: root, exclude: ['docs/how-to/ci.md', 'docs/site/**'] })
  const imports = new Map([['vitest', new Set(['expect'])]])
  const tests = ['README.md', ...guides.toSorted()].flatMap((page) => testsOf(page, imports))
  const lines = [
    '// Written by tools/docs.ts from README.md and docs/.',
    "import { guide } from './guide-world.ts'",
    ...[...imports].map(([module, names]) => `import { ${[...names].join(', ')} } from '${module}'`),
  ]
  return `${lines.join('\n')}\n\n${tests.join('\n')}`
}

function testsOf(page: string, imports: Map<string, Set<string>>): string[] {
  const text = readFileSync(new URL(page, root), 'utf8')
  return blocksOf(text).flatMap(({ language, text: code, mark, line }) => {
    if (language !== 'ts' || mark?.kind === 'not run') return []
    return [testOf(`${page}, ${headingAbove(text, line)}`, withoutImports(code, imports))]
  })
}

const headingAbove = (text: string, line: number): string =>
  /^#+ (.*)$/.exec(
    text
      .split('\n')
      .slice(0, line)
      .findLast((each) => each.startsWith('#')) ?? '',
  )?.[1] ?? ''

/** A block's code after its imports. @param imports names by module, to which the block's are added */
function withoutImports(code: string, imports: Map<string, Set<string>>): string {
  return code.replaceAll(/^import \{ (.*) \} from '(.*)'\n+/gm, (_, names: string, from: string) => {
    const module = sources.get(from) ?? from
    const known = imports.get(module) ?? new Set()
    imports.set(module, known)
    for (const name of names.split(', ')) known.add(name)
    return ''
  })
}

function testOf(name: string, code: string): string {
  const title = JSON.stringify(name)
  const body = code.replaceAll(/^export /gm, '').replaceAll(/^(?=.)/gm, '  ')
  if (/^test(\.\w+)?\(/m.test(code)) return `{\n${body}}\n`
  const used = ['emulator', 'client'].filter(
    (name) =>
      new RegExp(`\\b${name}\\b`).test(code) && !new RegExp(`\\b(?:const|using) ${name}\\b`).test(code),
  )
  return `guide(${title}, async ({ ${used.join(', ')} }) => {\n${body}})\n`
}
