import { resolve } from 'node:path'
import { runInNewContext } from 'node:vm'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { defaultConfig } from '../../src/config/default-config.ts'
import { defaultSettings } from '../../src/domain/choices.ts'
import { bakedDefaults, made } from '../../tools/build/baked-defaults.mjs'

test.each([
  ['settings', 'src/domain/choices/default-settings.ts', { defaultSettings }],
  ['configuration', 'src/config/default-config.ts', { defaultConfig }],
])(
  'the built program has the defaults of the %s without the schemas that they come from',
  async (_, source, exports) => {
    const { outputFiles, metafile } = await build({
      entryPoints: [source],
      bundle: true,
      format: 'iife',
      globalName: 'built',
      write: false,
      metafile: true,
      plugins: [bakedDefaults(resolve('.'))],
    })
    const built = runInNewContext(`${outputFiles[0]?.text}; JSON.stringify(built)`)
    expect(JSON.parse(built)).toEqual(exports)
    expect(Object.keys(metafile.inputs)).toEqual([source])
  },
)

test('what the build bakes is there', async () => {
  for (const [path, name] of Object.entries(made)) expect(await import(resolve(path))).toHaveProperty(name)
})
