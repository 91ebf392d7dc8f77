import type * as z from 'zod'

/** Before all checks; after N18's checks with nothing stored; or when everything is stored. */
export const faultStages = ['unchecked', 'before', 'stored'] as const
export type FaultStage = (typeof faultStages)[number]

/** Statuses whose answers have no body. */
export const bodiless: readonly number[] = [204, 205, 304]

/** A faulty answer. */
export interface AnswerEffect {
  /** null keeps the status of the answer. */
  readonly status: number | null
  /** The sent text; null keeps the usual body. */
  readonly body: string | null
  /** Additional headers; names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The delay before anything is done or answered, on the client's clock. */
  readonly delayMs: number
  /** How the answer is sent: normally, cut after half its body, as a TCP reset, or not at all. */
  readonly leaves: 'whole' | 'cut' | 'reset' | 'never'
  /** With `never`: the time until the connection is closed; null to keep it open. */
  readonly closedAfterMs: number | null
  /** A delay on the wall clock; `drawn`: 50 to 400 ms, by the seed. */
  readonly wallMs?: number | 'drawn' | undefined
  /** Delays the answer until the first webhook of the order was answered. */
  readonly afterWebhook?: true | undefined
  /** Wrong or additional data in the answer. */
  readonly shows?: Shown | undefined
}

/** `new-fields`: unknown fields. `behind`: CREATED, though the order is final. `unknown-status`: an undocumented
 *  status, though the order is CREATED. */
export type Shown = 'new-fields' | 'behind' | 'unknown-status'

/** An answer without a fault. */
export const usualAnswer: AnswerEffect = {
  status: null,
  body: null,
  headers: {},
  delayMs: 0,
  leaves: 'whole',
  closedAfterMs: null,
}

/** One way in which the answer of a call can be wrong on purpose. Its file holds the fields, their meaning and the
 *  words; `api/faults/` sends the answer. */
export interface AnswerFault<Written extends z.ZodRawShape> {
  /** The fields in scenario files and control calls; empty if only other code plans the fault. */
  readonly written: Written
  /** Turns the written fields into an effect. */
  readonly read: (written: z.output<z.ZodObject<Written>>) => Partial<AnswerEffect>
  /** Words for `explain`; none without the fault. */
  readonly words: (effect: AnswerEffect) => readonly string[]
  /** Words for the note in the request log; none without the fault. */
  readonly notes: (effect: AnswerEffect, when: FaultStage) => readonly string[]
  /** Whether it delays the answer; such words come first. */
  readonly delays?: true
}

/** Infers the types of a fault from its fields. */
export const answerFault = <Written extends z.ZodRawShape>(
  fault: AnswerFault<Written>,
): AnswerFault<Written> => fault
