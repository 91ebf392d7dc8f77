import { stringify } from 'yaml'
import * as z from 'zod'
import { infoOf, isSettingName, type SettingsOverlay } from '../../domain/choices/settings.ts'
import { yamlComment } from '../../domain/keep/yaml-text.ts'
import { orderMembers } from '../../domain/order/new-order-fields.ts'
import { check } from '../../domain/text/problems.ts'
import type { SeenOrder } from '../evidence/evidence.ts'
import { fieldsOf } from '../evidence/read-call.ts'
import type { Masker } from '../mask.ts'
import type { RecordedStory } from './recorded-story.ts'

/** The create call of a story, with its fields masked. */
export interface CreateCall {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}

/** The create call with which the application began the order; null if the capture does not have it. */
export function createCallOf(
  { creates }: SeenOrder,
  { calls }: RecordedStory,
  masker: Masker,
): CreateCall | null {
  const call = calls.storing ?? creates[0]
  if (call === undefined) return null
  return { path: call.path, body: fieldsOf(masker.maskJson(call.input)) }
}

/** The fixture of a story: the client at the time of the order. The order itself is in it if no create call of the
 *  application made it. */
export function fixtureOf(
  seen: SeenOrder,
  {
    id,
    recorded,
    masker,
    settings,
    create,
  }: {
    id: string
    recorded: RecordedStory
    masker: Masker
    settings: SettingsOverlay
    create: CreateCall | null
  },
): string {
  const { calls, life } = recorded
  const [{ order }] = life.orders
  const orders = create === null ? [orderFields(seen, id, recorded, masker)] : undefined
  const client = {
    clientId: /^[\x21-\x7e]{1,200}$/.test(order.clientId) ? order.clientId : 'client',
    webhookUrl: `http://127.0.0.1:3000${webhookPath(seen, masker)}`,
    defaultScenario: id,
    clock: { mode: 'manual', now: new Date(calls.createdAt).toISOString() },
    settings: settingsOf(settings),
    orders,
  }
  const comments = [
    `The client of ${id}. Load it together with the scenario. webhookUrl is that of your application under test.`,
    create === null
      ? 'The capture has no create call, so the order is here. It begins when the fixture is loaded.'
      : `Your application begins the order with this create call, POST ${masker.mask(create.path)}:`,
  ]
  const body = create === null ? '' : JSON.stringify(create.body)
  const shown = body.length > longest ? `${body.slice(0, longest)}…` : body
  const request = create === null ? '' : `# ${shown}\n`
  const text = stringify({ clients: [client] }, { lineWidth: 0 })
  return `${comments.map(yamlComment).join('\n')}\n${request}${text}`
}

/** Longer create calls are cut in the comment. */
const longest = 4_000

/** The settings of the account. The story is chosen by the client, not by an amount that selects a scenario. */
function settingsOf(settings: SettingsOverlay): SettingsOverlay {
  const own = Object.entries(settings).filter(
    ([name]) => isSettingName(name) && infoOf(name).scope !== 'common',
  )
  return { ...Object.fromEntries(own), 'scenarios.amounts': 'off' }
}

function webhookPath({ webhooks }: SeenOrder, masker: Masker): string {
  const path = webhooks[0]?.attempts[0].path ?? '/webhooks'
  return /^\/[\w./~-]{0,200}$/.test(path) ? masker.mask(path) : '/webhooks'
}

/** An order that nothing in the capture creates, as a fixture writes it. */
function orderFields(
  { lookups, requestId }: SeenOrder,
  id: string,
  { kind, calls }: RecordedStory,
  masker: Masker,
): Record<string, unknown> {
  const record = fieldsOf(masker.maskJson(lookups.flatMap(({ records }) => records)[0] ?? {}))
  const text = {
    fiatAmount: record.exchangeAmount,
    currencyId: record.exchangeCurId,
    email: record.userAddress ?? record.payersEmail,
    metadata: record.metadata,
    paymentMethodId: record.paymentMethod,
  }
  const valid = Object.entries(text).filter(([name, value]) => isValid(name, value))
  return {
    kind,
    requestId: masker.mask(requestId),
    ...Object.fromEntries(valid),
    scenario: id,
    created: new Date(calls.createdAt).toISOString(),
    deliveries: [{ of: 'CREATED', due: new Date(calls.createdAt).toISOString() }],
  }
}

const members = z.object(orderMembers).partial()

/** Whether a fixture accepts a value, so that a strange record does not spoil the file. */
const isValid = (name: string, value: unknown): boolean =>
  value !== undefined && check(members, { [name]: value }).ok
