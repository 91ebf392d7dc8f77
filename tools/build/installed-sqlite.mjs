import { readFileSync } from 'node:fs'

/** Bundles better-sqlite3 for a checkout, where its binary stays where it is installed: to find and compile its dozen small
 *  files takes longer than to load the binary. Tests that change it have loaded it before, and then it is theirs. */
export function installedSqlite() {
  return {
    name: 'installed-sqlite',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^better-sqlite3$/ }, ({ path, namespace, kind }) => {
        if (kind === 'require-resolve') return { path, external: true }
        return namespace === 'file' ? { path, namespace: 'installed-sqlite' } : null
      })
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
  const loaded = Object.keys(require.cache).some((path) => /[\\\\/]better-sqlite3[\\\\/]lib[\\\\/]index\\.js$/.test(path))
  // The checkout's own: an application that links it may have loaded another version.
  const ours = loaded ? require.cache[require.resolve('better-sqlite3')] : undefined
  module.exports = ours === undefined ? require('better-sqlite3') : ours.exports`

const installedAt = "path.join(__dirname, '..', 'node_modules', 'better-sqlite3', 'lib')"
