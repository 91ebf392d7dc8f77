/** Milliseconds since 1970-01-01T00:00Z. On the client's clock unless a name says `wall`. */
export type EpochMs = number
