import type { SettingsOverlay } from './choices.ts'
import type { EpochMs } from './time.ts'
import type { Where } from './where.ts'

/** Where a client's clock stands: at `anchorWall` of the wall it read `anchor`.
 *  A manual clock has speed 0 and reads `anchor` until it is moved; a real one has speed 1, a scaled one `<n>`. */
export interface ClockState {
  readonly mode: 'real' | 'manual'
  readonly speed: number
  readonly anchor: EpochMs
  readonly anchorWall: EpochMs
}

/** An onboarded application: its credentials, its webhook URL, and the world it lives in. */
export interface Client {
  readonly clientId: string
  readonly apiSecret: string
  /** Never expires by itself; issued tokens do (N64b). */
  readonly accessToken: string
  /** `whsec_` and base64, as Standard Webhooks writes secrets (N38). */
  readonly webhookSecret: string
  readonly webhookUrl: string | null
  /** Its endpoint answered 410: nothing is sent until the URL is set again (N44). */
  readonly webhookPaused: boolean
  /** Which of its deliveries are kept back as `held` when they become due. */
  readonly holds: readonly Where[]
  /** A scenario has made its own token expire; it is good again once the client has got another one. */
  readonly ownTokenExpired: boolean
  /** Until this moment every token is refused; null for no such time. */
  readonly tokensRefusedUntil: EpochMs | null
  readonly defaultScenario: string
  readonly clock: ClockState
  /** Where its clock stood when it was made. */
  readonly began: { readonly at: EpochMs; readonly wallAt: EpochMs }
  /** Laid over the common settings. */
  readonly settings: SettingsOverlay
}

/** The beginning of a client that is made with this clock. */
export const beginningOf = ({ anchor, anchorWall }: ClockState): Client['began'] => ({
  at: anchor,
  wallAt: anchorWall,
})

/** A token that the access token API gave out (N64a, N64b). */
export interface IssuedToken {
  readonly token: string
  readonly clientId: string
  readonly expiresAt: EpochMs
}
