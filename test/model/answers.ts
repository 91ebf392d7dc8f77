/** The endpoint's answer to one arrival. */
export interface EndpointAnswer {
  /** null: the connection is reset. */
  readonly status: number | null
  readonly retryAfterSeconds?: number
}

/** How an endpoint answers: to all arrivals alike, or by how often the same webhook has come before. */
export const answers = {
  'with 200': () => ({ status: 200 }),
  'with 204': () => ({ status: 204 }),
  'with 500': () => ({ status: 500 }),
  'with a redirect': () => ({ status: 307 }),
  'with 429 and a Retry-After of 90 s': () => ({ status: 429, retryAfterSeconds: 90 }),
  'with 503 and a Retry-After of a day': () => ({ status: 503, retryAfterSeconds: 86_400 }),
  'with a reset': () => ({ status: null }),
  'with 410': () => ({ status: 410 }),
  'with 500, then 200': (before) => ({ status: before < 1 ? 500 : 200 }),
  'with 500 three times, then 200': (before) => ({ status: before < 3 ? 500 : 200 }),
  'with 500 ten times, then 200': (before) => ({ status: before < 10 ? 500 : 200 }),
} as const satisfies Readonly<Record<string, (before: number) => EndpointAnswer>>

export type Answering = keyof typeof answers
