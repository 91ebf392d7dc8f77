import { deepStrictEqual } from 'node:assert/strict'
import { relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The modules that make them, and what they export. */
export const made = {
  'src/config/default-config.ts': 'defaultConfig',
  'src/domain/choices/default-settings.ts': 'defaultSettings',
}

/** Puts the defaults of settings and flags in the place of the schemas that they come from: most starts set few of them or
 *  none, and to make the schemas takes a good part of a start. */
export function bakedDefaults(root) {
  return {
    name: 'baked-defaults',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]default-[a-z]+\.ts$/ }, async ({ path }) => {
        const name = made[relative(root, path).replaceAll(sep, '/')]
        if (name === undefined) return null
        const { [name]: defaults } = await import(pathToFileURL(path).href)
        const text = JSON.stringify(defaults)
        deepStrictEqual(JSON.parse(text), defaults, `${path} has a value that JSON has not`)
        return { contents: `export const ${name} = ${text}`, loader: 'js' }
      })
    },
  }
}
