import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import { libraryTypes } from './library-types.ts'

/** Writes the declarations of each entry in one file that needs nothing but Node's and the language's own, and of
 *  `conform` the library's. */
export async function declareTypes(root, outdir) {
  const library = join(root, 'src', 'index.ts')
  const shapes = join(outdir, 'shapes.ts')
  writeFileSync(shapes, await libraryTypes())
  await declare(root, { input: library, external: /^node:/, plugins: [inPlaceOfShapes(shapes)] }, [
    { file: join(outdir, 'index.d.ts') },
    { file: join(outdir, 'index.d.cts') },
  ])
  rmSync(shapes)
  const conform = { input: join(root, 'src', 'conform', 'index.ts'), external: [/^node:/, library] }
  await declare(root, conform, [
    { file: join(outdir, 'conform.d.ts'), paths: { [library]: './index.js' } },
    { file: join(outdir, 'conform.d.cts'), paths: { [library]: './index.cjs' } },
  ])
}

/** Puts the types that are written out in the place of those of `src/testing/shapes.ts`, which need zod. */
const inPlaceOfShapes = (written) => ({
  name: 'in-place-of-shapes',
  resolveId: (imported) => (imported.endsWith('/shapes.ts') ? written : null),
})

async function declare(root, { plugins = [], ...input }, outputs) {
  const declarations = dts({ tsconfig: join(root, 'tools', 'build', 'tsconfig.declarations.json') })
  const bundle = await rollup({ ...input, plugins: [...plugins, declarations], onwarn: refuse })
  // Whoever compiles for an older language still has `await using`.
  const banner = '/// <reference lib="esnext.disposable" />'
  for (const output of outputs) await bundle.write({ ...output, format: 'es', banner })
  await bundle.close()
}

/** A warning is an import that nobody has where the package is installed. */
function refuse({ message }) {
  throw new Error(`The type declarations could not be made: ${message}`)
}
