/**
 * Leaves out zod's messages in sixty other languages, which nothing asks for: 300 kB of each bundle that has zod. English
 * is loaded by itself.
 */
export function englishOnly() {
  return {
    name: 'english-only',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({ contents: 'export {}' }))
    },
  }
}
