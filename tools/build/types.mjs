import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'

/** Writes the declarations of the library, each entry in one file that needs nothing but Node's and the language's own. */
export async function declareTypes(root, outdir) {
  const bundle = await rollup({
    input: join(root, 'src', 'index.ts'),
    plugins: [dts({ tsconfig: join(root, 'tsconfig.build.json') })],
    onwarn: refuse,
    external: /^node:/,
  })
  const file = join(outdir, 'index.d.ts')
  // Whoever compiles for an older language still has `await using`.
  await bundle.write({ file, format: 'es', banner: '/// <reference lib="esnext.disposable" />' })
  await bundle.close()
  copyFileSync(file, join(outdir, 'index.d.cts'))
}

/** A warning is an import that nobody has where the package is installed. */
function refuse({ message }) {
  throw new Error(`The type declarations could not be made: ${message}`)
}
