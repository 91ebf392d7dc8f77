/** The parts of a webhook's URL that sending it takes. */
export interface Address {
  readonly origin: string
  readonly hostname: string
  /** With the query. */
  readonly path: string
}

const mostKept = 1_000
const kept = new Map<string, Address>()

/** Takes a URL apart. Kept, because every attempt asks, and nearly always about one of a few. */
export function addressOf(url: string): Address {
  const known = kept.get(url)
  if (known !== undefined) return known
  const { origin, hostname, pathname, search } = new URL(url)
  const address = { origin, hostname, path: `${pathname}${search}` }
  if (kept.size >= mostKept) kept.clear()
  kept.set(url, address)
  return address
}
