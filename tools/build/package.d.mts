/** @see package.mjs */
export function completePackage(root: string, outdir: string, modules: readonly object[]): Promise<void>
