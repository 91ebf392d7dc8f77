import { readFileSync } from 'node:fs'
import { resolve as absolute, join } from 'node:path'

/** What reads what users and applications have written, and what tells of settings. Most of a start's time goes to making
 *  the schemas of zod for that, and most starts read none of it. All that these modules export are functions. */
const readers = [
  'src/api/operations/handlers.ts',
  'src/api/token-fields.ts',
  'src/cli/log/json-lines.ts',
  'src/config/read-config.ts',
  'src/domain/choices/choices-table.ts',
  'src/domain/choices/parse-settings.ts',
  'src/domain/choices/read-settings.ts',
  'src/domain/choices/setting-values.ts',
  'src/domain/fault/fault-deed.ts',
  'src/domain/fixture/fixture-file.ts',
  'src/domain/scenario/scenario-file.ts',
  'src/domain/yaml-source.ts',
  'src/store/sqlite/snapshot/verbs.ts',
]

/** Has the program evaluate some modules when one of their functions is first called. */
export function lateModules(root) {
  const late = new Set(readers.map((path) => join(root, path)))
  return {
    name: 'late-modules',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^\..*\.ts$/ }, ({ path, kind, resolveDir }) => {
        const file = absolute(resolveDir, path)
        return kind === 'import-statement' && late.has(file) ? { path: file, namespace: 'late-module' } : null
      })
      onLoad({ filter: /./, namespace: 'late-module' }, ({ path }) => ({
        contents: standIns(path),
        resolveDir: root,
      }))
    },
  }
}

/** The module is asked for once: esbuild makes an object of all its exports each time. */
function standIns(path) {
  const loading = `let loaded\nconst late = () => (loaded ??= require(${JSON.stringify(path)}))`
  const functions = functionsOf(path).map(
    (name) => `export const ${name} = (...args) => late().${name}(...args)`,
  )
  return [loading, ...functions].join('\n')
}

function functionsOf(path) {
  const exported = readFileSync(path, 'utf8').matchAll(/^export (?!interface |type )(.*)/gm)
  return Array.from(exported, ([line, rest]) => {
    const [, name] = /^(?:async )?function (\w+)/.exec(rest) ?? []
    if (name === undefined)
      throw new Error(`${path} is to be loaded late, and exports more than functions: ${line}`)
    return name
  })
}
