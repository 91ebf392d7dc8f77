import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { controlDocument } from '../src/openapi/control-document.ts'

const target = new URL('../docs/control-api.md', import.meta.url)

/** `docs/control-api.md` as it is, with the table of calls as it should be. */
export function controlApiPage(): string {
  const page = readFileSync(target, 'utf8')
  return page.replace(
    /<!-- calls -->[\s\S]*<!-- \/calls -->/,
    () => `<!-- calls -->\n${table()}<!-- /calls -->`,
  )
}

function table(): string {
  const lines = Object.entries(controlDocument().paths ?? {}).flatMap(([path, item]) =>
    (['get', 'post', 'put', 'patch', 'delete'] as const).flatMap((method) => {
      const { summary } = item[method] ?? {}
      const call = `${method.toUpperCase()} ${path.replace('/_emulator', '')}`
      return summary === undefined ? [] : [`| \`${call}\` | ${summary.replaceAll('|', '\\|')} |\n`]
    }),
  )
  return `| Call | Does |\n|---|---|\n${lines.join('')}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, controlApiPage())
