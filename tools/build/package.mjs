import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { conformSchema, storySchema } from '../docs/schemas.ts'
import { bundleCommonJs } from './bundle.mjs'
import { bundledPackages } from './bundled-packages.mjs'
import { writeComponentList } from './component-list.mjs'
import { writeLicences } from './licences.mjs'
import { shipBinaries } from './sqlite-binary.mjs'
import { declareTypes } from './types.mjs'

/** Adds what a package has and a checkout does without. @param modules what `bundleModules` made */
export async function completePackage(root, outdir, modules) {
  const commonJs = await bundleCommonJs(root, outdir)
  const bundled = bundledPackages(root, [modules, commonJs])
  writeLicences(outdir, bundled)
  writeComponentList(root, outdir, bundled)
  shipBinaries(root, outdir)
  await declareTypes(root, outdir)
  // Where conform.yaml and story files name them for editors, from the package's root.
  mkdirSync(join(root, 'conform'), { recursive: true })
  writeFileSync(join(root, 'conform', 'schema.json'), conformSchema())
  writeFileSync(join(root, 'conform', 'story.schema.json'), storySchema())
}
