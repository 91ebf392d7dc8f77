interface LockEntry {
  readonly name?: string
  readonly version?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly link?: boolean
  readonly inBundle?: boolean
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

/** The entries that npm installs from a registry without verifying them, because the lock has no hash of them. */
export function unverified(packages: Readonly<Record<string, LockEntry>>): Record<string, LockEntry>

/** These entries with their hashes, from the registry that npm is configured with.
 *  @param look resolves to the hash of a package such as `zod@4.6.7`
 *  @throws {Error} naming each package whose hash is not to be had */
export function verified(
  entries: Readonly<Record<string, LockEntry>>,
  look: (wanted: string) => Promise<string>,
): Promise<Record<string, LockEntry>>
