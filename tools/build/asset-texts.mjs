import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Takes what pages load into the bundle: see the module that this stands in for. */
export function assetTexts(root) {
  return {
    name: 'asset-texts',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]pages[\\/]asset-texts\.ts$/ }, () => {
        const folder = join(root, 'src', 'pages', 'assets')
        const own = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')])
        const texts = JSON.stringify(Object.fromEntries(own))
        const contents = `import htmx from 'htmx.org/dist/htmx.esm.min.js'
          export const assetTexts = async () => ({ ...${texts}, 'htmx.js': htmx })`
        return { contents, loader: 'js', resolveDir: root }
      })
      onLoad({ filter: /[\\/]htmx\.esm\.min\.js$/ }, ({ path }) => ({
        contents: readFileSync(path, 'utf8'),
        loader: 'text',
      }))
    },
  }
}
