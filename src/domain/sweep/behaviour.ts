import type { SettingsOverlay } from '../choices/settings.ts'
import type { AnswerEffect, AnswerRule, Scenario, WebhookRule } from '../scenario/scenario.ts'

/** What a behaviour takes for itself. Two behaviours that have one of these in common never share a run. */
type Slot =
  | 'first-webhook'
  | 'final-webhook'
  | 'create-answer'
  | 'first-lookup'
  | 'final-lookup'
  | 'token'
  | 'expiry'
  | 'ids'

/** Something that a suite does: it makes orders, gets webhooks, looks orders up, gets tokens by the token call. */
export type Need = 'order' | 'webhook' | 'lookup' | 'token'

/** A legal behaviour of the provider, played over everything that a test suite does. */
export interface Behaviour {
  readonly name: string
  /** What the provider does, as part of a sentence: "sends each webhook twice". */
  readonly does: string
  /** Why that is legal: a line of the API specification, or a numbered assumption. */
  readonly ground: string
  /** It loses money where it is handled wrongly; `--quick` plays only these. */
  readonly quick?: true
  readonly slots: readonly Slot[]
  /** What it keeps back, for a while or for ever: the application may rightly wait for it. */
  readonly keepsBack?: 'webhooks' | 'status' | 'answers'
  /** It answers a call with an error, or not at all. */
  readonly refuses?: true
  /** What the suite has to do for it to show at all. */
  readonly needs: Need
  /** What it adds to the scenario of every order. */
  readonly webhooks?: readonly WebhookRule[]
  readonly answers?: readonly AnswerRule[]
  readonly settings?: SettingsOverlay
  readonly otherIds?: true
  /** The first token that each client gets is refused from its second call on. */
  readonly tokenExpires?: true
}

/** A scenario with behaviours played over it. Its id stays; of two rules about one thing the behaviour's holds. */
export function playedOver(scenario: Scenario, behaviours: readonly Behaviour[]): Scenario {
  const all = <T extends object>(of: (behaviour: Behaviour) => readonly T[] | undefined) =>
    behaviours.flatMap((behaviour) => (of(behaviour) ?? []).map((rule) => ({ ...rule, by: behaviour.name })))
  return {
    ...scenario,
    webhooks: [...scenario.webhooks, ...all(({ webhooks }) => webhooks)],
    // The first that fits answers a call.
    answers: [...all(({ answers }) => answers), ...scenario.answers],
    settings: Object.assign({}, scenario.settings, ...behaviours.map(({ settings }) => settings)),
    ...(behaviours.some(({ otherIds }) => otherIds) && { otherIds: true }),
  }
}

/** Names of behaviours that show in no webhook and no fault, but in every order. */
export const showInOrders = ({ settings, otherIds }: Behaviour): boolean =>
  settings !== undefined || otherIds === true

const unchanged: AnswerEffect = {
  status: null,
  body: null,
  headers: {},
  delayMs: 0,
  leaves: 'whole',
  closedAfterMs: null,
}

/** A rule that answers the first call that it fits, of each requestId. */
export const once = (
  on: AnswerRule['on'],
  when: AnswerRule['when'],
  effect: Partial<AnswerEffect>,
  orders?: AnswerRule['orders'],
): AnswerRule => ({
  on,
  when,
  effect: { ...unchanged, ...effect },
  skip: 0,
  times: 1,
  forMs: null,
  orders,
})

/** What a sweep wants of an emulator. */
export interface SweepOrder {
  readonly behaviours: readonly Behaviour[]
  /** A file to which each emulator of the run appends JSON lines; several processes may share it. */
  readonly record: string
  /** Draws what behaviours leave to chance, the same in all emulators of the sweep. */
  readonly seed: string
}
