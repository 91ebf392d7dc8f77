import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const guide = join(root, 'docs', 'ci.md')

/** docs/ci.md with the files of examples/ci as they are now. */
export function withRecipes(markdown: string): string {
  return markdown.replaceAll(
    /(<!-- file: (\S+) -->\n```\w+\n)[\s\S]*?^```$/gm,
    (_, head: string, file: string) => `${head}${readFileSync(join(root, file), 'utf8')}\`\`\``,
  )
}

if (process.argv[1] === import.meta.filename) writeFileSync(guide, withRecipes(readFileSync(guide, 'utf8')))
