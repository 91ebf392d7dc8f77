interface LockEntry {
  readonly version?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly gypfile?: boolean
}

/** The optional packages that some package of the lock names and the lock does not have, as entries of it. */
export function missingEntries(packages: Readonly<Record<string, LockEntry>>): Record<string, object>

/** The entries of packages that bring a build file and ask npm not to use it, with that wish.
 *  @param folder where they are installed */
export function uncompiled(
  packages: Readonly<Record<string, LockEntry>>,
  folder: string,
): Record<string, LockEntry>
