import { spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'

/** Writes the declarations of the library, each entry in one file that needs nothing but Node's and the language's own. */
export async function declareTypes(root, outdir) {
  const parts = join(outdir, 'types')
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const args = [tsc, '-p', 'tsconfig.build.json', '--outDir', parts]
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) throw new Error('The type declarations could not be made.')
  await flatten(join(parts, 'index.d.ts'), join(outdir, 'index.d.ts'))
  copyFileSync(join(outdir, 'index.d.ts'), join(outdir, 'index.d.cts'))
  rmSync(parts, { recursive: true })
}

async function flatten(input, file) {
  const bundle = await rollup({ input, plugins: [dts()], onwarn: refuse, external: /^node:/ })
  // Whoever compiles for an older language still has `await using`.
  await bundle.write({ file, format: 'es', banner: '/// <reference lib="esnext.disposable" />' })
  await bundle.close()
  writeFileSync(file, exportedAs(readFileSync(input, 'utf8'), readFileSync(file, 'utf8')))
}

/** Rollup makes values of classes that the entry exports as types. There is nothing to construct or to compare with, and
 *  nobody should be told so. */
function exportedAs(entry, flat) {
  const values = namesIn(/^export \{([^}]*)\}/gm, entry)
  const all = [...namesIn(/^export (?:type )?\{([^}]*)\};?$/gm, flat)].toSorted()
  const list = (names) => `{ ${names.join(', ')} }`
  const valueList = list(all.filter((name) => values.has(name)))
  const typeList = list(all.filter((name) => !values.has(name)))
  const text = flat.replaceAll(/^export (?:type )?\{[^}]*\};?\n/gm, '')
  return `${text}export ${valueList};\nexport type ${typeList};\n`
}

/** Of lists like `{ a, type B, c }` the names, without the types. */
function namesIn(list, text) {
  const names = [...text.matchAll(list)].flatMap(([, inside]) => inside.split(',').map((name) => name.trim()))
  return new Set(names.filter((name) => name !== '' && !name.startsWith('type ')))
}

/** A warning is an import that nobody has where the package is installed. */
function refuse({ message }) {
  throw new Error(`The type declarations could not be put together: ${message}`)
}
