import { join } from 'node:path'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'

/** Writes the declarations of each entry in one file that needs nothing but Node's and the language's own, and of
 *  `conform` the library's. */
export async function declareTypes(root, outdir) {
  const library = join(root, 'src', 'index.ts')
  await declare(root, { input: library, external: /^node:/ }, [
    { file: join(outdir, 'index.d.ts') },
    { file: join(outdir, 'index.d.cts') },
  ])
  const conform = { input: join(root, 'src', 'conform', 'index.ts'), external: [/^node:/, library] }
  await declare(root, conform, [
    { file: join(outdir, 'conform.d.ts'), paths: { [library]: './index.js' } },
    { file: join(outdir, 'conform.d.cts'), paths: { [library]: './index.cjs' } },
  ])
}

async function declare(root, input, outputs) {
  const plugins = [dts({ tsconfig: join(root, 'tsconfig.build.json') })]
  const bundle = await rollup({ ...input, plugins, onwarn: refuse })
  // Whoever compiles for an older language still has `await using`.
  const banner = '/// <reference lib="esnext.disposable" />'
  for (const output of outputs) await bundle.write({ ...output, format: 'es', banner })
  await bundle.close()
}

/** A warning is an import that nobody has where the package is installed. */
function refuse({ message }) {
  throw new Error(`The type declarations could not be made: ${message}`)
}
