/** Who sends webhooks and calls, but not while the emulator starts. */
const senders = /[\\/]src[\\/](webhooks|cli)[\\/]/

/**
 * Has the program load undici when something is first sent: it takes a quarter of a start, and 6 MB that a program without
 * webhooks can do without.
 */
export function lateUndici() {
  return {
    name: 'late-undici',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^undici$/ }, ({ path, importer }) =>
        senders.test(importer) ? { path, namespace: 'late-undici' } : null,
      )
      onLoad({ filter: /./, namespace: 'late-undici' }, () => ({ contents }))
      onResolve({ filter: /^\.\/program\.cjs$/, namespace: 'late-undici' }, ({ path }) => ({
        path,
        external: true,
      }))
    },
  }
}

const contents = `
  const undici = () => require('./program.cjs').load('undici', { keeps: true })
  export const buildConnector = (...args) => undici().buildConnector(...args)
  export const request = (...args) => undici().request(...args)
  export class Pool { constructor(...args) { return new (undici().Pool)(...args) } }
`
