/** Moves a finished build into `dist`; see the module.
 *  @param stage folder of the finished build, emptied by this
 *  @param options `sources` from before the build */
export function publish(
  stage: string,
  dist: string,
  options: { readonly sources: string; readonly forPackage: boolean },
): void
