/** Modules of Node that a start would load for nothing, and what is called of them. `node:child_process` and `node:dns`
 *  are loaded by whoever listens anyway. */
const called = {
  crypto: ['createHash', 'createHmac', 'timingSafeEqual', 'hash', 'randomBytes', 'randomUUID'],
}

/** Has the program load some of Node's own modules when one of their functions is first called. */
export function lateBuiltins() {
  return {
    name: 'late-builtins',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^node:/ }, ({ path, kind, namespace }) =>
        kind === 'import-statement' && namespace === 'file' && path.slice(5) in called
          ? { path, namespace: 'late-builtin' }
          : null,
      )
      onLoad({ filter: /./, namespace: 'late-builtin' }, ({ path }) => ({
        contents: standIns(path, called[path.slice(5)]),
      }))
    },
  }
}

function standIns(path, names) {
  const functions = names.map((name) => `export const ${name} = (...args) => late().${name}(...args)`)
  return `
    let loaded
    const late = () => (loaded ??= require('${path}'))
    ${functions.join('\n')}
    export default { ${names.join(', ')} }`
}
