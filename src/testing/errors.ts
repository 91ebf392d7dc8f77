import type { Diagnosis, NearMiss } from './shapes.generated.ts'

/** No answer came from the emulator: nothing listens there, the connection broke, or time was up. */
export class EmulatorUnreachable extends Error {
  override readonly name = 'EmulatorUnreachable'
}

/** `emulator.fetch` was asked for something that is not the emulator's; it was not sent. */
export class FetchRefused extends TypeError {
  override readonly name = 'FetchRefused'
}

/** A call of the control API that the emulator refused. The message says which call, and what the emulator said. */
export class ControlCallRefused extends Error {
  override readonly name: string = 'ControlCallRefused'
  /** The HTTP status. */
  readonly status: number
  /** The stable word for what was wrong, like `order_unknown`; null if the answer was not the emulator's. */
  readonly code: string | null
  /** What the emulator answered, as JSON, or as text if it is none. */
  readonly body: unknown

  constructor(message: string, refusal: { status: number; code: string | null; body: unknown }) {
    super(message)
    this.status = refusal.status
    this.code = refusal.code
    this.body = refusal.body
  }
}

/** Something was not so: a verification failed, or a wait ended in vain. The message tells the nearest misses. */
export class NotAsExpected extends ControlCallRefused {
  override readonly name = 'NotAsExpected'
  /** What came nearest, those that differ in the fewest members first. */
  readonly nearest: readonly NearMiss[]

  constructor(
    message: string,
    refusal: { status: number; code: string | null; body: unknown; nearest: readonly NearMiss[] },
  ) {
    super(message, refusal)
    this.nearest = refusal.nearest
  }
}

/** A call of the service that was refused. The message has the answer as it came, and why, out of the journal. */
export class ServiceCallRefused extends Error {
  override readonly name = 'ServiceCallRefused'
  /** The HTTP status. */
  readonly status: number
  /** The service's own code (`7001`); null where its error is a mere text. */
  readonly code: string | null
  /** The answer's body as JSON, or as text if it is none. */
  readonly body: unknown
  /** Why, as the emulator's journal knows it; the real service tells nothing of this. */
  readonly diagnosis: Diagnosis | null

  constructor(
    message: string,
    refusal: { status: number; code: string | null; body: unknown; diagnosis: Diagnosis | null },
  ) {
    super(message)
    this.status = refusal.status
    this.code = refusal.code
    this.body = refusal.body
    this.diagnosis = refusal.diagnosis
  }
}
