import { randomBytes } from 'node:crypto'
import { mergeOverlay, type SettingsOverlay } from '../domain/choices.ts'
import { beginningOf, type Client, type ClockState } from '../domain/client.ts'
import type { ClockBeginning } from './new-clocks.ts'

/** What may be changed of a client; what is undefined stays as it is. Settings are laid over those it has, and
 *  `null` takes one away. */
export interface ClientPatch {
  readonly apiSecret?: string | undefined
  readonly accessToken?: string | undefined
  readonly webhookSecret?: string | undefined
  readonly webhookUrl?: string | null | undefined
  readonly defaultScenario?: string | undefined
  readonly settings?: SettingsOverlay | undefined
}

/** What may be given about a new client; the rest is made up. */
export interface ClientFields extends ClientPatch {
  readonly clientId?: string | undefined
  readonly clock?: ClockBeginning | undefined
}

/** A new client; what `fields` lacks is made up. */
export function newClient(fields: ClientFields, clock: ClockState): Client {
  return {
    clientId: fields.clientId ?? `client-${randomBytes(6).toString('hex')}`,
    apiSecret: fields.apiSecret ?? randomBytes(24).toString('base64url'),
    accessToken: fields.accessToken ?? randomBytes(24).toString('base64url'),
    webhookSecret: fields.webhookSecret ?? `whsec_${randomBytes(24).toString('base64')}`,
    webhookUrl: fields.webhookUrl ?? null,
    webhookPaused: false,
    holds: [],
    ownTokenExpired: false,
    tokensRefusedUntil: null,
    defaultScenario: fields.defaultScenario ?? 'happy',
    clock,
    began: beginningOf(clock),
    settings: fields.settings ?? {},
  }
}

/** A client as a patch makes it. Setting its URL, even to the same one, ends a pause (N44). */
export function patchedClient(before: Client, patch: ClientPatch): Client {
  return {
    ...before,
    apiSecret: patch.apiSecret ?? before.apiSecret,
    accessToken: patch.accessToken ?? before.accessToken,
    ownTokenExpired: patch.accessToken === undefined && before.ownTokenExpired,
    webhookSecret: patch.webhookSecret ?? before.webhookSecret,
    defaultScenario: patch.defaultScenario ?? before.defaultScenario,
    settings: patch.settings === undefined ? before.settings : mergeOverlay(before.settings, patch.settings),
    webhookUrl: patch.webhookUrl === undefined ? before.webhookUrl : patch.webhookUrl,
    webhookPaused: patch.webhookUrl === undefined && before.webhookPaused,
  }
}
