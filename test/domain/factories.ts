import type { Settings } from '../../src/domain/choices/settings.ts'
import { defaultSettings } from '../../src/domain/choices/settings.ts'
import type { Client } from '../../src/domain/client/client.ts'
import { create, type NewOrder } from '../../src/domain/order/create.ts'
import type { Decision, DecisionContext } from '../../src/domain/order/decision.ts'
import type { OrderRequest } from '../../src/domain/order/order.ts'
import { compileScenario } from '../../src/domain/scenario/compile-scenario.ts'
import { type Scenario, versionOf } from '../../src/domain/scenario/scenario.ts'
import { scenarioText } from '../../src/domain/scenario/scenario-text.ts'

export const t0 = Date.parse('2026-03-01T12:00:00Z')

export const aClient: Client = {
  clientId: 'C1',
  apiSecret: 'sandbox-secret',
  accessToken: 'T1',
  webhookSecret: 'whsec_c2VjcmV0',
  webhookUrl: 'http://127.0.0.1:9/',
  webhookPaused: false,
  pausedAfter: null,
  failedInARow: 0,
  previousWebhookSecret: null,
  defaultScenario: 'happy',
  clock: { mode: 'manual', speed: 0, anchor: t0, anchorWall: t0 },
  began: { at: t0, wallAt: t0 },
  settings: {},
  holds: [],
  ownTokenExpired: false,
  tokensRefusedUntil: null,
}

type StepText = Record<string, unknown>

/** A scenario from its steps, and whatever else is given, as a file would write them. */
export function aScenario(timeline: StepText[], members: object = {}): Scenario {
  const text = { id: 'test', description: 'for a test', timeline, ...members }
  const compiled = compileScenario(scenarioText.parse(text))
  if ('problems' in compiled) throw new Error(JSON.stringify(compiled.problems))
  return compiled.scenario
}

export const happy = aScenario([
  { at: '2s', pay: 'completed' },
  { at: '5s', order: 'COMPLETED' },
])

/** Circumstances at `t0` plus some milliseconds. */
export function context(options: {
  scenario?: Scenario
  afterMs?: number
  settings?: Partial<Settings>
  urlRegistered?: boolean
}): DecisionContext {
  return {
    nowMs: t0 + (options.afterMs ?? 0),
    settings: { ...defaultSettings, ...options.settings },
    scenario: options.scenario ?? happy,
    clockSpeed: 0,
    seed: 'seed',
    client: options.urlRegistered === false ? { ...aClient, webhookUrl: null } : aClient,
  }
}

/** A new order, as a create call at `t0` decides it. */
export function created(
  options: Parameters<typeof context>[0] & { wanted?: Partial<NewOrder>; request?: OrderRequest } = {},
): Decision {
  const circumstances = context(options)
  const wanted: NewOrder = {
    kind: 'checkout',
    requestId: 'r1',
    fiatAmount: '10.00',
    currencyId: 'usd_us',
    email: 'a@example.com',
    request: options.request ?? {},
    metadata: null,
    ...options.wanted,
  }
  const choice = { id: 'test', why: 'default', version: versionOf(circumstances.scenario) }
  return create(wanted, { isCalled: true, choice }, circumstances)
}
