/** Who sends webhooks and calls, but not while the emulator starts, and what takes undici's classes where Node's are gone. */
const users = /[\\/](src[\\/](webhooks|cli|conform)[\\/]|tools[\\/]entry[\\/]fetch-classes\.mjs$)/

/**
 * Has bundles load undici when something is first sent: it takes a quarter of a start, and 6 MB that a program without
 * webhooks can do without.
 * @param {(part: string) => string} loading the code that loads a part of the program, see late-parts.mjs
 */
export function lateUndici(loading) {
  return {
    name: 'late-undici',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^undici$/ }, ({ path, importer }) =>
        users.test(importer) ? { path, namespace: 'late-undici' } : null,
      )
      onLoad({ filter: /./, namespace: 'late-undici' }, () => ({ contents: contents(loading('undici')) }))
      onResolve({ filter: /^\.\/program\.cjs$/, namespace: 'late-undici' }, ({ path }) => ({
        path,
        external: true,
      }))
    },
  }
}

const contents = (loaded) => `
  const undici = () => ${loaded}
  module.exports = {
    buildConnector: (...args) => undici().buildConnector(...args),
    fetch: (...args) => undici().fetch(...args),
    request: (...args) => undici().request(...args),
    Pool: class { constructor(...args) { return new (undici().Pool)(...args) } },
    get Headers() { return undici().Headers },
    get Request() { return undici().Request },
    get Response() { return undici().Response },
  }`
