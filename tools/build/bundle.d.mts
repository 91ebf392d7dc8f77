/** @see bundle.mjs */
export function bundleModules(root: string, outdir: string, options: { forPackage: boolean }): Promise<object>
