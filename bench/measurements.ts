import type { RequestKind } from './requests.ts'

/** One thing that is measured, once in every round. */
export interface Measurement {
  readonly name: string
  readonly kind: RequestKind
  readonly server: ServerName
  /** Requests in each round. */
  readonly count: number
  /** How many different requests there are; they are sent again and again. Without it every one is new. */
  readonly different?: number
  /** The name of the measurement it is compared with: a server that does less with the same request. */
  readonly ceiling?: string
  readonly goal?: Goal
}

/** `ceilings` and `ladder` are bare programs of this folder, the others the built emulator. */
export type ServerName = 'ceilings' | 'ladder' | 'creates' | 'lookups'

/** How near a measurement is to come to its ceiling. */
interface Goal {
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
    ceiling: 'Hono, echo',
    goal: { aim: 0.4, must: 0.35 },
  },
  { name: 'Hono, hello', kind: 'hello', server: 'ceilings', count: 40_000 },
  {
    name: `lookup among ${storedOrders} orders`,
    kind: 'lookup',
    server: 'lookups',
    count: 20_000,
    different: storedOrders,
    ceiling: 'Hono, hello',
    goal: { aim: 0.5, must: 0.425 },
  },
]

const rung = { server: 'ladder', count: 20_000, ceiling: 'Hono, echo' } as const

/** What each thing that a create call must do takes, one on top of the other. */
export const ladder: readonly Measurement[] = [
  { name: 'Hono, echo', kind: 'echo', server: 'ceilings', count: 20_000 },
  { ...rung, name: '+ 24 fields checked', kind: 'checked' },
  { ...rung, name: '+ token, signature, answer', kind: 'verified' },
  { ...rung, name: '+ three rows in a file', kind: 'stored', count: 8_000 },
  { ...rung, name: 'create', kind: 'create', server: 'creates', count: 8_000 },
]
