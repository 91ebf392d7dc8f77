import type { RequestKind } from './requests.ts'

/** One thing that is measured, once in every round. */
export interface Measurement {
  readonly name: string
  readonly kind: RequestKind
  readonly server: 'ceilings' | 'creates' | 'lookups'
  /** Requests in each round. */
  readonly count: number
  /** How many different requests there are; they are sent again and again. Without it every one is new. */
  readonly different?: number
  readonly goal?: Goal
}

/** How near a measurement is to come to a bare server that does as little as possible with the same request. */
interface Goal {
  /** The name of the measurement it is compared with. */
  readonly ceiling: string
  readonly aim: number
  /** Below this the bench fails. */
  readonly must: number
}

/** Orders in the database of the lookups. */
export const storedOrders = 1_000

/** In the order of a round. What is compared stands side by side. */
export const measurements: readonly Measurement[] = [
  { name: 'Hono, echo', kind: 'echo', server: 'ceilings', count: 20_000 },
  {
    name: 'create',
    kind: 'create',
    server: 'creates',
    count: 8_000,
    goal: { ceiling: 'Hono, echo', aim: 0.4, must: 0.35 },
  },
  { name: 'Hono, hello', kind: 'hello', server: 'ceilings', count: 40_000 },
  {
    name: `lookup among ${storedOrders} orders`,
    kind: 'lookup',
    server: 'lookups',
    count: 20_000,
    different: storedOrders,
    goal: { ceiling: 'Hono, hello', aim: 0.5, must: 0.425 },
  },
]
