/** How much anyone may send, and how long it may take (N33). `docs/explanation/reliability.md` lists the limits. */
export const limits = {
  /** 1 MiB. */
  bodyBytes: 1024 * 1024,
  jsonLevels: 64,
  /** Checking more would keep everyone else waiting. */
  jsonValues: 20_000,
  /** The first line and the headers together. */
  headerBytes: 16 * 1024,
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 65_000,
  connections: 2_000,
} as const
