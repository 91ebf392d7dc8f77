import { readFileSync } from 'node:fs'
import { resolve as absolute, join } from 'node:path'

/** What reads what a user has written. Most of a start's time goes to making the schemas of zod for that, and most starts
 *  read none of it. All that these modules export are functions. */
const readers = [
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
        contents: functionsOf(path)
          .map(
            (name) => `export const ${name} = (...args) => require(${JSON.stringify(path)}).${name}(...args)`,
          )
          .join('\n'),
        resolveDir: root,
      }))
    },
  }
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
