import type { z } from 'zod'
import type { catalogEntrySchema } from './currencies-text.ts'

/** What the emulator knows of some currencies (N3, N5, N66). */
export type CatalogEntry = Readonly<z.output<typeof catalogEntrySchema>>

/** The entry for a currency: the one that names it, else the first whose `*` covers it. */
export function catalogEntry(
  settings: { readonly 'currencies.catalog': readonly CatalogEntry[] },
  currencyId: string,
): CatalogEntry | undefined {
  const catalog = settings['currencies.catalog']
  return (
    catalog.find(({ match }) => match === currencyId) ??
    catalog.find(({ match }) => match.endsWith('*') && currencyId.startsWith(match.slice(0, -1)))
  )
}
