import { resolve } from 'node:path'
import { runInNewContext } from 'node:vm'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { defaultSettings } from '../../src/domain/choices.ts'
import { bakedSettings } from '../../tools/build/baked-settings.mjs'

test('the built program has the defaults of the settings without the schemas that they come from', async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: ['src/domain/choices/default-settings.ts'],
    bundle: true,
    format: 'iife',
    globalName: 'built',
    write: false,
    metafile: true,
    plugins: [bakedSettings(resolve('.'))],
  })
  const built = runInNewContext(`${outputFiles[0]?.text}; JSON.stringify(built.defaultSettings)`)
  expect(JSON.parse(built)).toEqual(defaultSettings)
  expect(Object.keys(metafile.inputs)).toEqual(['src/domain/choices/default-settings.ts'])
})
