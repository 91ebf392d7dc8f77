export function isRecentEnough(version: string, range: string): boolean
export function nodePackage(
  platform: string,
  arch: string,
  musl: boolean,
): [name: string, range: string] | null
