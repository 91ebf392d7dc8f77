interface LockEntry {
  readonly version?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** The optional packages that some package of the lock names and the lock does not have, as entries of it. */
export function missingEntries(packages: Readonly<Record<string, LockEntry>>): Record<string, object>
