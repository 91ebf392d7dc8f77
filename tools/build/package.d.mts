/** @see package.mjs */
export function completePackage(root: string, outdir: string, modules: object): Promise<void>
