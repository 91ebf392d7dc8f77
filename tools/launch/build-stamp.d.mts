/** Whether `dist` was built from the sources as they are. */
export function distIsCurrent(root: string): boolean

/** One line for each file that has a say in the build. */
export function listSources(root: string): string
