import { randomBytes } from 'node:crypto'
import { mergeOverlay, type Settings, type SettingsOverlay } from '../domain/choices/settings.ts'
import { beginningOf, type Client, type ClockState, type Pace } from '../domain/client/client.ts'
import { newEndpoint } from '../domain/client/endpoint.ts'
import type { EpochMs } from '../domain/text/time.ts'
import { formsOf } from '../domain/webhook/key-problem.ts'

/** The mode, speed and start time of a client's clock. */
export interface ClockBeginning extends Pace {
  /** The initial time; the machine's time if left out. */
  readonly startTime?: EpochMs | undefined
}

/** A patch of a client; undefined fields stay. Settings are merged, and `null` removes one. */
export interface ClientPatch {
  readonly apiSecret?: string | undefined
  readonly accessToken?: string | undefined
  readonly webhookSecret?: string | undefined
  readonly webhookUrl?: string | null | undefined
  readonly defaultScenario?: string | undefined
  readonly settings?: SettingsOverlay | undefined
}

/** The fields of a new client; missing ones are generated. */
export interface ClientFields extends ClientPatch {
  readonly clientId?: string | undefined
  readonly clock?: ClockBeginning | undefined
}

/** Another secret without a rotation takes effect at once: no earlier one is valid any more. */
const newSecret = (before: Client, webhookSecret: string): Partial<Client> =>
  webhookSecret === before.webhookSecret ? {} : { webhookSecret, previousWebhookSecret: null }

export function newClient(fields: ClientFields, settings: Settings, clock: ClockState): Client {
  return {
    clientId: fields.clientId ?? `client-${randomBytes(6).toString('hex')}`,
    apiSecret: fields.apiSecret ?? randomApiSecret(settings),
    accessToken: fields.accessToken ?? randomBytes(24).toString('base64url'),
    webhookSecret: fields.webhookSecret ?? randomWebhookSecret(settings),
    webhookUrl: fields.webhookUrl ?? null,
    ...newEndpoint,
    previousWebhookSecret: null,
    holds: [],
    ownTokenExpired: false,
    tokensRefusedUntil: null,
    defaultScenario: fields.defaultScenario ?? 'happy',
    clock,
    began: beginningOf(clock),
    settings: fields.settings ?? {},
  }
}

/** Applies a patch to a client. Setting its URL, even to the same one, ends a pause (N44, N72). */
export function patchedClient(before: Client, patch: ClientPatch): Client {
  return {
    ...before,
    apiSecret: patch.apiSecret ?? before.apiSecret,
    accessToken: patch.accessToken ?? before.accessToken,
    ownTokenExpired: patch.accessToken === undefined && before.ownTokenExpired,
    ...(patch.webhookSecret !== undefined && newSecret(before, patch.webhookSecret)),
    defaultScenario: patch.defaultScenario ?? before.defaultScenario,
    settings: patch.settings === undefined ? before.settings : mergeOverlay(before.settings, patch.settings),
    webhookUrl: patch.webhookUrl === undefined ? before.webhookUrl : patch.webhookUrl,
    ...(patch.webhookUrl !== undefined && newEndpoint),
  }
}

/** Generates an API secret in a form that the settings can read as a key. */
const randomApiSecret = (settings: Settings): string =>
  randomBytes(24).toString(
    formsOf(settings, 'api-secret').some((form) => form !== 'text') ? 'hex' : 'base64url',
  )

/** Generates a webhook secret in a form that the settings can read as a key. */
export const randomWebhookSecret = (settings: Settings): string =>
  `whsec_${randomBytes(24).toString(formsOf(settings, 'webhook-secret').includes('hex') ? 'hex' : 'base64')}`
