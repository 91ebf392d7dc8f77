import { startAtCaller } from './caller-stack.ts'
import type { ReceivedWebhook } from './inbox/received-webhook.ts'
import type { Diagnosis, NearMiss } from './shapes.ts'

/** What all errors of the library have in common: their stack begins at the call in the test. What is long stands in
 *  getters, so that printing one shows the message and little else. */
abstract class LibraryError extends Error {
  // Not `ErrorOptions`: those who compile for an older language have no such type.
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    startAtCaller(this)
  }
}

/** An emulator could not be started: a wrong option, a taken port, an unusable file. Nothing is left running. The
 *  `cause`, where there is one, is what was met. */
export class EmulatorNotStarted extends LibraryError {
  override get name(): string {
    return 'EmulatorNotStarted'
  }
}

/** No answer came from the emulator: nothing listens there, the connection broke, time was up, or it has been closed.
 *  The `cause` is what the connection met. */
export class EmulatorUnreachable extends LibraryError {
  override get name(): string {
    return 'EmulatorUnreachable'
  }
}

/** What the emulator said to a call of its control API. */
export interface ControlRefusal {
  readonly status: number
  readonly code: string | null
  readonly body: unknown
}

/** `emulator.fetch` was asked for something that is not the emulator's; it was not sent. */
export class FetchRefused extends TypeError {
  override readonly name = 'FetchRefused'
}

/** A call of the control API that the emulator refused. The message says which call, and what the emulator said. */
export class ControlCallRefused extends LibraryError {
  /** The HTTP status. */
  readonly status: number
  /** The stable word for what was wrong, like `order_unknown`; null if the answer was not the emulator's. */
  readonly code: string | null
  readonly #body: unknown

  constructor(message: string, { status, code, body }: ControlRefusal) {
    super(message)
    this.status = status
    this.code = code
    this.#body = body
  }

  override get name(): string {
    return 'ControlCallRefused'
  }

  /** What the emulator answered, as JSON, or as text if it is none. After a 504 of an advance this is the ledger as far
   *  as it got. */
  get body(): unknown {
    return this.#body
  }
}

/** Something was not so: a verification failed, or a wait ended in vain. The message tells the nearest misses. */
export class NotAsExpected extends ControlCallRefused {
  readonly #nearest: readonly NearMiss[]

  constructor(message: string, refusal: ControlRefusal & { readonly nearest: readonly NearMiss[] }) {
    super(message, refusal)
    this.#nearest = refusal.nearest
  }

  override get name(): string {
    return 'NotAsExpected'
  }

  /** What came nearest, those that differ in the fewest members first. */
  get nearest(): readonly NearMiss[] {
    return this.#nearest
  }
}

/** What the service said to a call. */
export interface ServiceRefusal {
  readonly status: number
  readonly code: string | null
  readonly body: unknown
  readonly diagnosis: Diagnosis | null
}

/** A call of the service that was refused. The message has the answer as it came, and why, out of the journal. */
export class ServiceCallRefused extends LibraryError {
  /** The HTTP status. */
  readonly status: number
  /** The service's own code (`7001`); null where its error is a mere text. */
  readonly code: string | null
  /** Why, as the emulator's journal knows it; the real service tells nothing of this. Null for what it answered on
   *  purpose (a fault, a scenario). */
  readonly diagnosis: Diagnosis | null
  readonly #body: unknown

  constructor(message: string, { status, code, body, diagnosis }: ServiceRefusal) {
    super(message)
    this.status = status
    this.code = code
    this.#body = body
    this.diagnosis = diagnosis
  }

  override get name(): string {
    return 'ServiceCallRefused'
  }

  /** The answer's body as JSON, or as text if it is none. */
  get body(): unknown {
    return this.#body
  }
}

/** A webhook inbox could not be opened: an option is wrong, its port cannot be had, or the emulator has been closed. The
 *  `cause` is what was met. */
export class InboxNotOpened extends LibraryError {
  override get name(): string {
    return 'InboxNotOpened'
  }
}

/** An inbox has not got what it should. */
class WebhookError extends LibraryError {
  readonly #webhooks: readonly ReceivedWebhook[]

  constructor(message: string, webhooks: readonly ReceivedWebhook[]) {
    super(message)
    this.#webhooks = webhooks
  }

  /** Of one that is missing: all that have come, those already taken too. Of unexpected ones: those. */
  get webhooks(): readonly ReceivedWebhook[] {
    return this.#webhooks
  }
}

/** A webhook that was waited for did not come. The message tells what did, which deliveries have failed, and, where
 *  time stands still, what is due next. */
export class WebhookMissing extends WebhookError {
  override get name(): string {
    return 'WebhookMissing'
  }
}

/** Webhooks have come that should not have. */
export class UnexpectedWebhook extends WebhookError {
  override get name(): string {
    return 'UnexpectedWebhook'
  }
}
