import type * as z from 'zod'

/** When a fault applies to a call: before all checks; after the checks with nothing stored (N18); or after
 *  everything is stored. */
export const faultStages = ['unchecked', 'before', 'stored'] as const
export type FaultStage = (typeof faultStages)[number]

/** The HTTP statuses whose answers have no body. */
export const bodiless: readonly number[] = [204, 205, 304]

/** How a faulty answer differs from the service's own answer. */
export interface AnswerEffect {
  /** The status of the faulty answer; null for the service's own status. */
  readonly status: number | null
  /** The body of the faulty answer; null for the service's own body. */
  readonly body: string | null
  /** Headers that are added to the answer or replaced; names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The wait, on the client's clock, before the call is processed and answered. */
  readonly delayMs: number
  /** How the answer is sent: normally, cut after half its body, as a TCP reset, or not at all. */
  readonly leaves: 'whole' | 'cut' | 'reset' | 'never'
  /** How long a connection without an answer stays open; null for ever. */
  readonly closedAfterMs: number | null
  /** A delay of the answer on the wall clock; `drawn` is a random delay of 50 to 400 ms, reproducible by the seed. */
  readonly wallMs?: number | 'drawn' | undefined
  /** Delays the answer until the first webhook of the order was answered. */
  readonly afterWebhook?: true | undefined
  /** A lookup shows each record as it was before its last change. */
  readonly stale?: true | undefined
  /** Wrong or additional data that the answer shows. */
  readonly shows?: Shown | undefined
}

/** Wrong or additional data in an answer. `new-fields`: unknown fields. `unknown-status`: an undocumented status,
 *  although the order is CREATED. */
export type Shown = 'new-fields' | 'unknown-status'

/** The effect of no fault at all. */
export const usualAnswer: AnswerEffect = {
  status: null,
  body: null,
  headers: {},
  delayMs: 0,
  leaves: 'whole',
  closedAfterMs: null,
}

/** One kind of fault of API answers: its fields in scenario files, how they are read, and its descriptions.
 *  `api/faults/` sends the faulty answer. */
export interface AnswerFault<Written extends z.ZodRawShape> {
  /** Schemas of the fault's fields in scenario files and control calls; empty if only the emulator's own code plans
   *  the fault. */
  readonly written: Written
  /** Turns the fields that people write into an effect. */
  readonly read: (written: z.output<z.ZodObject<Written>>) => Partial<AnswerEffect>
  /** The words for the fault in `explain`; none if the effect lacks the fault. */
  readonly words: (effect: AnswerEffect) => readonly string[]
  /** Describes the fault for the request log; empty if the effect does not include the fault. */
  readonly notes: (effect: AnswerEffect, when: FaultStage) => readonly string[]
  /** Whether the fault delays the answer; words about delays come first. */
  readonly delays?: true
}

/** Declares a fault of API answers, with types inferred from its fields. */
export const answerFault = <Written extends z.ZodRawShape>(
  fault: AnswerFault<Written>,
): AnswerFault<Written> => fault
