import { bundleCommonJs } from './bundle.mjs'
import { writeLicences } from './licences.mjs'
import { shipBinaries } from './sqlite-binary.mjs'
import { declareTypes } from './types.mjs'

/** Adds what a package has and a checkout does without. @param modules what `bundleModules` made */
export async function completePackage(root, outdir, modules) {
  const commonJs = await bundleCommonJs(root, outdir)
  writeLicences(root, outdir, [...modules, ...commonJs])
  shipBinaries(root, outdir)
  await declareTypes(root, outdir)
}
