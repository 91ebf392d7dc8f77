import { resolve as absolute, join } from 'node:path'

/**
 * Has modules that stand on the library load it from the file beside them: one engine, and one class of each error,
 * whoever imports what.
 * @param {string} file of the library, as the bundle is to import it
 */
export function libraryBeside(root, file) {
  const library = join(root, 'src', 'index.ts')
  return {
    name: 'library-beside',
    setup({ onResolve }) {
      onResolve({ filter: /\bindex\.ts$/ }, ({ path, resolveDir }) =>
        absolute(resolveDir, path) === library ? { path: file, external: true } : null,
      )
    },
  }
}
