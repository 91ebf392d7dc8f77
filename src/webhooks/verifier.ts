import { type Settings, settingsShown } from '../domain/choices/settings.ts'
import type { EpochMs } from '../domain/text/time.ts'
import { jwtOf } from '../domain/webhook/jwt.ts'
import { recipeOf } from '../domain/webhook/recipe.ts'
import {
  type ReceivedMessage,
  type Secrets,
  type SignatureProblem,
  signatureProblem,
  type VerifyingClock,
} from '../domain/webhook/signature-problem.ts'
import { readBack, timeWritten } from '../domain/webhook/signed-headers.ts'
import { tokenProblem } from '../domain/webhook/token-problem.ts'
import { wallNow } from '../time/wall.ts'
import type { SettingsSource } from './event-reader.ts'

/** A client as it is read from the emulator. */
export interface SigningClient {
  readonly secrets: Secrets
  /** All its settings, as the control API shows them. */
  readonly effective: Readonly<Record<string, unknown>>
  /** The client's clock, for signatures of its time. */
  readonly clock: VerifyingClock
  readonly webhookUrl: string | null
}

/** Everything with which a webhook is verified. */
interface Known {
  readonly secrets: Secrets
  readonly settings: Settings
  readonly clock: VerifyingClock
  readonly webhookUrl: string | null
}

/** What a receiver learns from the signature of a webhook. */
export interface Verdict {
  /** Null if the signature is right, or if the settings ask for none. */
  readonly problem: SignatureProblem | null
  /** The id of the webhook, the same in every attempt; null if it is not sent. */
  readonly webhookId: string | null
  /** The time of signing, in epoch milliseconds; null if it is not sent. */
  readonly signedAt: EpochMs | null
}

/** Verifies a webhook by the settings of its client, and its token too. */
function verdictBy(message: ReceivedMessage, { settings, secrets, clock, webhookUrl: url }: Known): Verdict {
  const [recipe, jwt] = [recipeOf(settings), jwtOf(settings)]
  const compared = isOnClientsClock(settings) ? clock : { now: wallNow() }
  const problem =
    (recipe && signatureProblem({ ...message, url }, recipe, secrets, compared)) ??
    (jwt && tokenProblem(message, jwt, secrets, compared))
  if (recipe === null) return { problem, webhookId: null, signedAt: null }
  const { id = null, timestamp = '' } = readBack(recipe, message.headers, message.clientId)
  const signedAt = timeWritten(recipe, timestamp)
  return { problem, webhookId: id, signedAt: Number.isNaN(signedAt) ? null : signedAt }
}

const isOnClientsClock = (settings: Settings): boolean => settings['webhook.signTime'] === 'virtual'

/** A received webhook. */
export interface Incoming extends ReceivedMessage {
  /** Undefined if the body does not say it. */
  readonly requestId: string | undefined
}

/** Where the secrets and settings of a client are read. */
export interface SigningSource extends Pick<SettingsSource, 'ofScenario'> {
  /** The client, or null if it or the emulator is gone. */
  readonly read: () => Promise<SigningClient | null>
}

/** Verifies the webhooks of one client with its secrets and settings. It reads them from the emulator when a webhook
 *  does not fit those that it knows, because other callers may have changed them. */
export class Verifier {
  readonly #source: SigningSource
  #known: Known | undefined

  constructor(source: SigningSource) {
    this.#source = source
  }

  /** @param assumed the secrets of the client, if the emulator is gone before they were read */
  async verdict(message: Incoming, assumed: Secrets): Promise<Verdict> {
    const known = this.#known
    if (known !== undefined && canBeTrusted(known)) {
      const verdict = verdictBy(message, known)
      if (verdict.problem === null) return verdict
    }
    const read = await this.#source.read()
    if (read === null) return verdictBy(message, known ?? withDefaults(assumed))
    const { effective, secrets, clock, webhookUrl } = read
    const settings = settingsShown(effective)
    // The secret before a rotation is valid for a while only, so it is read each time.
    this.#known = { secrets: { ...secrets, previousSecret: undefined }, clock, settings, webhookUrl }
    const verdict = verdictBy(message, { secrets, clock, settings, webhookUrl })
    if (verdict.problem === null && recipeOf(settings) !== null) return verdict
    const over = await this.#source.ofScenario(message.body, message.requestId)
    return over === null
      ? verdict
      : verdictBy(message, { secrets, clock, webhookUrl, settings: settingsShown(effective, over) })
  }
}

const withDefaults = (secrets: Secrets): Known => ({
  secrets,
  settings: settingsShown({}),
  clock: { now: wallNow() },
  webhookUrl: null,
})

/** Whether a webhook that fits is genuine, without reading anything again. */
const canBeTrusted = ({ settings }: Known): boolean =>
  recipeOf(settings) !== null && !isOnClientsClock(settings)
