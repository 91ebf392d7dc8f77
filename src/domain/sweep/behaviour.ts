import type { SettingsOverlay } from '../choices/settings.ts'
import { type AnswerEffect, usualAnswer } from '../faults/answer/answer-fault.ts'
import type { AnswerRule, Scenario, WebhookRule } from '../scenario/scenario.ts'

/** A part of the provider's behaviour. Two behaviours that change the same part never share a run. */
type Slot =
  | 'first-webhook'
  | 'final-webhook'
  | 'create-answer'
  | 'first-lookup'
  | 'final-lookup'
  | 'token'
  | 'expiry'
  | 'ids'

/** An activity of a test suite: it creates orders, receives webhooks, looks orders up, or requests tokens. */
export type Need = 'order' | 'webhook' | 'lookup' | 'token'

/** A legal behaviour of the provider, applied to all calls and webhooks of a test suite. */
export interface Behaviour {
  readonly name: string
  /** The behaviour as part of a sentence about the provider: "sends each webhook twice". */
  readonly does: string
  /** The reason why the behaviour is legal: a line of the API specification, or a numbered assumption. */
  readonly ground: string
  /** True if handling the behaviour wrongly loses money; `--quick` applies only such behaviours. */
  readonly quick?: true
  readonly slots: readonly Slot[]
  /** The things that the behaviour delays or withholds, for which the application may rightly wait. */
  readonly keepsBack?: 'webhooks' | 'status' | 'answers'
  /** Whether the behaviour answers a call with an error, or not at all. */
  readonly refuses?: true
  /** The activity without which a test suite cannot show the behaviour. */
  readonly needs: Need
  /** Webhook rules that the behaviour adds to the scenario of every order. */
  readonly webhooks?: readonly WebhookRule[]
  readonly answers?: readonly AnswerRule[]
  readonly settings?: SettingsOverlay
  readonly otherIds?: true
  /** True if the first token of each client is rejected from its second call on. */
  readonly tokenExpires?: true
}

/** Adds behaviours to a scenario. The scenario keeps its id; the rules of behaviours override its own. */
export function withBehaviours(scenario: Scenario, behaviours: readonly Behaviour[]): Scenario {
  const all = <T extends object>(of: (behaviour: Behaviour) => readonly T[] | undefined) =>
    behaviours.flatMap((behaviour) => (of(behaviour) ?? []).map((rule) => ({ ...rule, by: behaviour.name })))
  return {
    ...scenario,
    webhooks: [...scenario.webhooks, ...all(({ webhooks }) => webhooks)],
    // Rules of behaviours come first, because the first matching rule answers a call.
    answers: [...all(({ answers }) => answers), ...scenario.answers],
    settings: Object.assign({}, scenario.settings, ...behaviours.map(({ settings }) => settings)),
    ...(behaviours.some(({ otherIds }) => otherIds) && { otherIds: true }),
  }
}

/** Whether a behaviour shows in every order, without a webhook or a fault. */
export const showInOrders = ({ settings, otherIds }: Behaviour): boolean =>
  settings !== undefined || otherIds === true

/** A rule that answers the first matching call of each requestId. */
export const once = (
  on: AnswerRule['on'],
  when: AnswerRule['when'],
  effect: Partial<AnswerEffect>,
  orders?: AnswerRule['orders'],
): AnswerRule => ({
  on,
  when,
  effect: { ...usualAnswer, ...effect },
  skip: 0,
  times: 1,
  forMs: null,
  orders,
})

/** The behaviours that a sweep applies to an emulator. */
export interface SweepOrder {
  readonly behaviours: readonly Behaviour[]
  /** A file to which each emulator of the run appends JSON lines; several processes may share it. */
  readonly record: string
  /** The seed of random choices, shared by all emulators of the sweep. */
  readonly seed: string
}
