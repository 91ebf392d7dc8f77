import { cpSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Has better-sqlite3 ask us for its binary: see the module that stands in for its search. */
export function shippedBinary(root) {
  return {
    name: 'shipped-binary',
    setup({ onResolve }) {
      onResolve({ filter: /^\.\/binding$/ }, ({ importer }) =>
        /[\\/]better-sqlite3[\\/]lib$/.test(dirname(importer))
          ? { path: join(root, 'src', 'store', 'sqlite', 'shipped-binary.ts') }
          : null,
      )
    },
  }
}

/** Copies the binaries of all platforms, as better-sqlite3 publishes them. */
export function shipBinaries(root, outdir) {
  const folder = join('node_modules', 'better-sqlite3', 'prebuilds')
  cpSync(join(root, folder), join(outdir, 'prebuilds'), { recursive: true })
}
