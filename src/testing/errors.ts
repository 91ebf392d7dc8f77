import { inspect } from 'node:util'
import { didYouMean } from '../domain/text/issue-words.ts'
import type { ReceivedWebhook } from './inbox/received-webhook.ts'
import type { Diagnosis, NearMiss } from './shapes.ts'

/** Makes the stack of an error begin at the caller of the library: a test runner shows its first line, which should
 *  be the test's. */
export function startAtCaller(error: Error): void {
  const stack = error.stack ?? ''
  const start = stack.indexOf(firstFrame)
  if (start < 0) return
  const frames = stack.slice(start + 1).split('\n')
  const callers = frames.filter((frame) => !frame.includes(ownFolder) && !frame.includes('node:internal/'))
  // Without `await` in the test, the stack may contain only frames of the library.
  const shown = callers.length > 0 ? callers : frames
  error.stack = [`${error.name}: ${error.message}`, ...shown].join('\n')
}

const firstFrame = '\n    at '

/** The folder of the library's own files, as stack frames name it. */
const ownFolder = folderOf(new Error().stack?.split('\n')[1] ?? '')

/** Extracts the folder from a stack frame such as `at name (file:///folder/file.js:1:2)`. */
function folderOf(frame: string): string {
  return /([^\s(]*[\\/])[^\\/]+:\d+:\d+\)?$/.exec(frame)?.[1] ?? '(unknown)'
}

/** The base of all errors of the library: their stack begins at the call in the test. Long details are getters, so
 *  that printing an error shows little but the message. */
abstract class LibraryError extends Error {
  // Not `ErrorOptions`: code compiled for an older language lacks that type.
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    startAtCaller(this)
  }
}

/** `startEmulator` failed: an invalid option, a port in use or an unusable file. Nothing is left running. */
export class EmulatorNotStarted extends LibraryError {
  override get name(): string {
    return 'EmulatorNotStarted'
  }
}

/** The emulator did not answer: nothing listens there, the connection broke, the time limit passed, or the emulator has
 *  been closed. `cause` is the error of the connection. */
export class EmulatorUnreachable extends LibraryError {
  override get name(): string {
    return 'EmulatorUnreachable'
  }
}

/** The answer to a refused call of the control API. */
export interface ControlRefusal {
  readonly status: number
  readonly code: string | null
  readonly body: unknown
}

/** `emulator.fetch` was called with a URL outside the emulator. Nothing was sent. */
export class FetchRefused extends TypeError {
  override readonly name = 'FetchRefused'
}

/** The emulator refused a call of the control API, for example for a typo, an unknown order or a time in the past. */
export class ControlCallRefused extends LibraryError {
  /** The HTTP status of the answer. */
  readonly status: number
  /** The error code, such as `order_unknown`. `null` if the answer is not from an emulator. */
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

  /** The answer as JSON, or as text. After a 504 of an advance: the ledger so far. */
  get body(): unknown {
    return this.#body
  }
}

/** Thrown if a verification failed, or a wait timed out. */
export class NotAsExpected extends ControlCallRefused {
  readonly #nearest: readonly NearMiss[]

  constructor(message: string, refusal: ControlRefusal & { readonly nearest: readonly NearMiss[] }) {
    super(message, refusal)
    this.#nearest = refusal.nearest
  }

  override get name(): string {
    return 'NotAsExpected'
  }

  /** The nearest misses, those with the fewest differences first. */
  get nearest(): readonly NearMiss[] {
    return this.#nearest
  }
}

/** The answer to a refused call of the service. */
export interface ServiceRefusal {
  readonly status: number
  readonly code: string | null
  readonly body: unknown
  readonly diagnosis: Diagnosis | null
}

/** The service refused a call: a wrong signature, a known requestId, a planned fault. */
export class ServiceCallRefused extends LibraryError {
  /** The HTTP status of the answer. */
  readonly status: number
  /** The code in the answer, such as `7001`. `null` if its error is only a text. */
  readonly code: string | null
  /** Why the service refused the call, from the request log. `null` if a fault or a scenario caused the answer. The
   *  real service reports no reason. */
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

  /** The body of the answer as JSON, or as text. */
  get body(): unknown {
    return this.#body
  }
}

/** `webhookInbox` failed: an invalid option, a port in use, or a closed emulator. `cause` is the error behind it. */
export class InboxNotOpened extends LibraryError {
  override get name(): string {
    return 'InboxNotOpened'
  }
}

/** The base of errors about missing and unexpected webhooks. */
class WebhookError extends LibraryError {
  readonly #webhooks: readonly ReceivedWebhook[]

  constructor(message: string, webhooks: readonly ReceivedWebhook[]) {
    super(message)
    this.#webhooks = webhooks
  }

  /** For `WebhookMissing`: all webhooks that have arrived. For `UnexpectedWebhook`: the unexpected ones. */
  get webhooks(): readonly ReceivedWebhook[] {
    return this.#webhooks
  }
}

/** An expected webhook did not arrive in time. The message lists what arrived, failed deliveries and, on a manual
 *  clock, what is due next. */
export class WebhookMissing extends WebhookError {
  override get name(): string {
    return 'WebhookMissing'
  }
}

/** Thrown if `inbox.none` found webhooks although none should arrive. */
export class UnexpectedWebhook extends WebhookError {
  override get name(): string {
    return 'UnexpectedWebhook'
  }
}

/** Describes an unknown option and suggests the likely one; null if all are known. JavaScript users have no types to
 *  warn them. */
export function strayOption(options: unknown, names: readonly string[]): string | null {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    return `expected an object of options, not ${inspect(options)}`
  const stray = Object.keys(options).find((name) => !names.includes(name))
  return stray === undefined ? null : `unknown option \`${stray}\`${didYouMean(stray, names)}`
}

/** Describes a missing global that the library needs; null if none is missing. Only WebAssembly is checked: undici
 *  parses HTTP with it, and no Node module exports it. */
export function lackingGlobal(): string | null {
  if (typeof Reflect.get(globalThis, 'WebAssembly') !== 'undefined') return null
  return (
    'the global `WebAssembly` of Node is missing. ' +
    'Keep it when tests replace globals, and start Node without `--jitless`'
  )
}
