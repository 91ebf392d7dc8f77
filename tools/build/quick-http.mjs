const http = /^(node:)?https?$/

/**
 * Has modules get Node's HTTP by require() where they import it. An import asks for every export of the module, and among
 * those of `node:http` are some (`WebSocket`) for which Node loads a whole HTTP client: 20 ms at each start.
 */
export function quickHttp() {
  return {
    name: 'quick-http',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: http }, ({ path, kind, namespace }) =>
        kind === 'import-statement' && namespace !== 'quick-http'
          ? { path, namespace: 'quick-http' }
          : undefined,
      )
      onLoad({ filter: http, namespace: 'quick-http' }, ({ path }) => ({
        contents: `module.exports = require(${JSON.stringify(path)})`,
      }))
    },
  }
}
