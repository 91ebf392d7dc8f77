import { readFileSync } from 'node:fs'

/** Bundles better-sqlite3 for a checkout, where its binary stays where it is installed: to find and compile its dozen small
 *  files takes longer than to load the binary. Tests that change it have loaded it before, and then it is theirs. */
export function installedSqlite() {
  return {
    name: 'installed-sqlite',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^better-sqlite3$/ }, ({ path, namespace }) =>
        namespace === 'file' ? { path, namespace: 'installed-sqlite' } : null,
      )
      onLoad({ filter: /./, namespace: 'installed-sqlite' }, () => ({
        contents,
        resolveDir: import.meta.dirname,
      }))
      onLoad({ filter: /[\\/]better-sqlite3[\\/]lib[\\/]binding\.js$/ }, ({ path }) => ({
        contents: readFileSync(path, 'utf8').replaceAll('__dirname', installedAt),
      }))
    },
  }
}

const contents = `
  const loaded = Object.keys(require.cache).find((path) => /[\\\\/]better-sqlite3[\\\\/]lib[\\\\/]index\\.js$/.test(path))
  module.exports = loaded === undefined ? require('better-sqlite3') : require.cache[loaded].exports`

const installedAt = "path.join(__dirname, '..', 'node_modules', 'better-sqlite3', 'lib')"
