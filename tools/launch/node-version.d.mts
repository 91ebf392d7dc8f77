export function isRecentEnough(version: string, range: string): boolean
export function nodePackage(
  platform: string,
  arch: string,
  musl: boolean,
): { readonly name: string; readonly version: string; readonly integrity: string } | null
