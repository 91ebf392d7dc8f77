import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'

/** Takes what pages load, and the SQL of a new database, into the bundle: see the modules that this stands in for. */
export function assetTexts(root) {
  return {
    name: 'asset-texts',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]pages[\\/]asset-texts\.ts$/ }, () => {
        const folder = join(root, 'src', 'pages', 'assets')
        const files = readdirSync(folder, { recursive: true }).filter((file) => extname(file) !== '')
        const own = files.map((file) => [basename(file), readFileSync(join(folder, file), 'utf8')])
        const texts = JSON.stringify(Object.fromEntries(own))
        const contents = `import htmx from 'htmx.org/dist/htmx.esm.min.js'
          export const assetTexts = async () => ({ ...${texts}, 'htmx.js': htmx })`
        return { contents, loader: 'js', resolveDir: root }
      })
      onLoad({ filter: /[\\/]store[\\/]sqlite[\\/]first-migration\.ts$/ }, ({ path }) => {
        const sql = readFileSync(join(dirname(path), 'migrations', '0000_first.sql'), 'utf8')
        return { contents: `export const firstMigration = ${JSON.stringify(sql)}`, loader: 'js' }
      })
      onLoad({ filter: /[\\/]htmx\.esm\.min\.js$/ }, ({ path }) => ({
        contents: readFileSync(path, 'utf8'),
        loader: 'text',
      }))
    },
  }
}
