import type { Operation } from '../journal-entry.ts'
import type { OrderKind } from '../order.ts'
import type { FaultStage } from '../scenario/answer-rules.ts'

/** A call that planned faults and scenarios may have something for. */
export interface FaultyCall {
  readonly operation: Operation
  readonly when: FaultStage
  /** null: nobody knows whose it is. */
  readonly clientId: string | null
  /** null: it names none. */
  readonly requestId: string | null
  /** Of the order that it creates. */
  readonly kind?: OrderKind | undefined
}
