import { deepStrictEqual } from 'node:assert/strict'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Puts the defaults of the settings in the place of the schemas that they come from: most starts set few settings or
 *  none, and to make the schemas takes a good part of a start. */
export function bakedSettings(root) {
  const source = join(root, 'src', 'domain', 'choices', 'default-settings.ts')
  return {
    name: 'baked-settings',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]default-settings\.ts$/ }, async ({ path }) => {
        if (path !== source) return null
        const { defaultSettings } = await import(pathToFileURL(source).href)
        const text = JSON.stringify(defaultSettings)
        deepStrictEqual(JSON.parse(text), defaultSettings, `${source} has a value that JSON has not`)
        return { contents: `export const defaultSettings = ${text}`, loader: 'js' }
      })
    },
  }
}
