import type { z } from 'zod'
import type { Settings } from '../../domain/choices/settings.ts'
import type { NewOrder } from '../../domain/order/create.ts'
import { catalogEntry } from '../../domain/order/currencies.ts'
import type { Order } from '../../domain/order/order.ts'
import { memberText } from '../../domain/text/json-text.ts'
import { compareAmounts, decimalsOf } from '../../domain/text/money.ts'
import type { Problem } from '../../domain/text/problems.ts'
import {
  type CheckoutForm,
  checkoutString,
  type SignedMembers,
  signedWith,
  subscriptionString,
} from '../../domain/webhook/signature.ts'
import { isObject, type JsonObject } from '../../http/body.ts'
import { refusedSignature, requireOwnClientId } from '../authentication.ts'
import type { Call, Reply, ServiceParts } from '../call.ts'
import {
  type CheckoutRequest,
  checkoutRequest,
  type SubscriptionRequest,
  subscriptionRequest,
} from '../contract/requests.ts'
import { hintsOf } from '../faults/refused-call.ts'
import { readFields, readObject } from '../input.ts'
import { presentCreated, presentSubscription } from '../presenters.ts'
import { invalid, verificationFailed } from '../refusal.ts'

interface Ordered {
  readonly currencyId: string
  readonly fiatAmount: string
  readonly mode?: string | undefined
  readonly targetApp?: string | undefined
  readonly interval?: string | undefined
  readonly requestDescription?: string | undefined
  readonly billingData?: object | undefined
}

/** Checks the rules that depend on settings: the currency catalogue (N3, N5, R43, R45), `targetApp` (N1, R36) and
 *  the intervals of subscriptions (N25).
 *  @param known the names of all fields of this kind of order */
function checkRules(ordered: Ordered, known: readonly string[], settings: Settings): Problem[] {
  return [
    ...currencyProblems(ordered, known, settings),
    ...targetAppProblems(ordered, settings['checkout.targetApps']),
    ...(known.includes('interval') ? intervalProblems(ordered, settings['subscription.intervals']) : []),
  ]
}

function currencyProblems(ordered: Ordered, known: readonly string[], settings: Settings): Problem[] {
  const entry = catalogEntry(settings, ordered.currencyId)
  if (entry === undefined) {
    if (settings['currencies.unknown'] === 'accept') return []
    return [problem('currencyId', 'is not in the currency catalogue (setting `currencies.catalog`)')]
  }
  const { fiatAmount } = ordered
  const required = (entry.requiredFields ?? []).filter((field) => known.includes(field))
  const missing = required.filter((field) => ordered[field] === undefined)
  const problems = missing.map((field) =>
    problem(field, `is required for the currency ${ordered.currencyId}`),
  )
  const { decimals, minAmount, maxAmount } = entry
  if (decimals !== undefined && decimalsOf(fiatAmount) > decimals) {
    problems.push(problem('fiatAmount', `must have at most ${decimals} decimals in ${ordered.currencyId}`))
  }
  if (minAmount !== undefined && compareAmounts(fiatAmount, minAmount) < 0) {
    problems.push(problem('fiatAmount', `must be at least ${minAmount}`))
  }
  if (maxAmount !== undefined && compareAmounts(fiatAmount, maxAmount) > 0) {
    problems.push(problem('fiatAmount', `must be at most ${maxAmount}`))
  }
  return problems
}

/** Checks `targetApp`, which only `mode: returnAppUrl` needs; otherwise it is ignored (N2). */
function targetAppProblems({ mode, targetApp }: Ordered, allowed: readonly string[] | null): Problem[] {
  if (mode !== 'returnAppUrl') return []
  if (targetApp === undefined) return [problem('targetApp', 'is required with mode returnAppUrl')]
  if (allowed !== null && !allowed.includes(targetApp)) {
    return [problem('targetApp', `must be one of ${allowed.join(', ')}`)]
  }
  if (targetApp === 'INVALID_APP') return [problem('targetApp', 'INVALID_APP is never valid')]
  return [...targetApp].length > 100 ? [problem('targetApp', 'must have at most 100 characters')] : []
}

function intervalProblems({ interval }: Ordered, allowed: readonly string[]): Problem[] {
  if (interval === undefined || allowed.includes(interval)) return []
  return [problem('interval', `must be one of ${allowed.join(', ')} (setting \`subscription.intervals\`)`)]
}

const problem = (field: string, message: string): Problem => ({ path: [field], message })

type Kind = 'checkout' | 'subscription'

/** The fields that are checked before the signature: clientId and the signed fields (N18). */
const checkedFirst = {
  checkout: ['clientId', 'currencyId', 'fiatAmount', 'requestId'],
  subscription: ['clientId', 'currencyId', 'fiatAmount', 'requestId', 'interval', 'trialPeriodDays'],
} as const

/** Handles `POST /v1/client/checkout/create-order` (R17-R59, R85-R93). With `paths.subscription: both`, a body with
 *  an `interval` creates a subscription here too (N23). */
export async function createCheckout(call: Call, parts: ServiceParts): Promise<Reply> {
  const body = readObject(call, 'object')
  if (body.interval !== undefined && call.settings['paths.subscription'] === 'both') {
    return createSubscriptionFrom(body, call, parts)
  }
  const request = verified('checkout', checkoutRequest, body, call, parts)
  return begin(checkoutOrder(request, call.body.text), body, call, parts, presentCreated)
}

/** Handles `POST /v1/client/subscription/create-order` (R60-R67). */
export async function createSubscription(call: Call, parts: ServiceParts): Promise<Reply> {
  return createSubscriptionFrom(readObject(call, 'object'), call, parts)
}

async function createSubscriptionFrom(body: JsonObject, call: Call, parts: ServiceParts): Promise<Reply> {
  const request = verified('subscription', subscriptionRequest, body, call, parts)
  return begin(subscriptionOrder(request), body, call, parts, presentSubscription)
}

/** Checks a create call in the documented order: signed fields, clientId, signature, other fields (N18).
 *  @throws Refusal */
function verified<T extends typeof checkoutRequest | typeof subscriptionRequest>(
  kind: Kind,
  schema: T,
  body: JsonObject,
  call: Call,
  parts: ServiceParts,
): z.output<T> {
  if (typeof body.requestId === 'string') call.info.requestId = body.requestId
  const { fields, problems } = readFields(schema, body, call)
  const first: readonly string[] = checkedFirst[kind]
  if (problems.some(({ path }) => first.includes(String(path[0]))))
    throw invalid(problems, call.settings, 'object')
  requireOwnClientId(String(body.clientId), call.client, 'body', parts.clients)
  verifySignature(kind, body, call, parts)
  const broken = checkRules(fields ?? ruledMembers(body), Object.keys(schema.shape), call.settings)
  if (fields !== null && broken.length === 0) return fields
  const more = broken.filter(({ path }) => !problems.some((known) => known.path[0] === path[0]))
  throw invalid([...problems, ...more], call.settings, 'object')
}

function verifySignature(kind: Kind, body: JsonObject, call: Call, { clients }: ServiceParts): void {
  const members = signedMembers(body)
  const { settings, client } = call
  const signature = call.header('signature')
  const forms = formsOf(kind, settings)
  const textOf = (form: (typeof forms)[number]) =>
    form === 'subscription' ? subscriptionString(members) : checkoutString(members, form)
  const form = signedWith(signature ?? '', { forms, textOf }, client.apiSecret)
  if (form === null) {
    const accepted = forms.map(textOf)
    throw verificationFailed(refusedSignature({ kind, members, accepted, body }, call, clients))
  }
  if (kind === 'checkout') call.notes.push(`signature form: ${form}`)
}

/** The accepted forms of a signed text. For checkouts that is both documented forms, unless a setting selects one
 *  (N19). */
function formsOf(kind: Kind, settings: Settings): readonly (CheckoutForm | 'subscription')[] {
  if (kind === 'subscription') return ['subscription']
  const pinned = settings['signature.checkout']
  return pinned === 'either' ? ['short', 'with-currency'] : [pinned]
}

/** The fields for `checkRules`, as far as an invalid body has them, so that the refusal names all wrong fields
 *  (N28). */
function ruledMembers(body: JsonObject) {
  return {
    ...signedMembers(body),
    mode: textOf(body, 'mode'),
    targetApp: textOf(body, 'targetApp'),
    requestDescription: textOf(body, 'requestDescription'),
    billingData: isObject(body.billingData) ? body.billingData : undefined,
  }
}

function textOf(body: JsonObject, name: string): string | undefined {
  const value = body[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

function signedMembers(body: JsonObject): SignedMembers {
  const text = (name: string) => textOf(body, name)
  return {
    currencyId: text('currencyId') ?? '',
    fiatAmount: text('fiatAmount') ?? '',
    requestId: text('requestId') ?? '',
    interval: text('interval'),
    trialPeriodDays: text('trialPeriodDays'),
  }
}

type Present = (order: Order, settings: Settings, origin: string) => string

async function begin(
  wanted: NewOrder,
  body: JsonObject,
  call: Call,
  { clients, lifecycle, store }: ServiceParts,
  present: Present,
): Promise<Reply> {
  const { client, faults, notes, origin, header } = call
  const { requestId, kind } = wanted
  if (clients.count > 1 && (await store.usedByAnotherClient(client.clientId, requestId)))
    notes.push(
      'requestId: another client has used it too; the real service may require unique ids across clients',
    )
  const hints = hintsOf(header('emulator-scenario'), body)
  const creating = faults.creating(client, requestId, kind)
  const begun = await lifecycle.creation.create(client, wanted, hints, creating)
  const { order, settings, releaseAnswer } = begun
  notes.push(...begun.notes, `scenario: ${order.scenario.id} (${order.scenario.why})`)
  return { body: present(order, settings, origin), about: [order], answered: releaseAnswer }
}

function checkoutOrder(checked: CheckoutRequest, bodyText: string): NewOrder {
  const { requestId, fiatAmount, currencyId, email, metadata, clientId: _, ...request } = checked
  return {
    kind: 'checkout',
    requestId,
    fiatAmount,
    currencyId,
    email,
    request,
    metadata: metadata === undefined ? null : memberText(bodyText, 'metadata'),
  }
}

function subscriptionOrder(checked: SubscriptionRequest): NewOrder {
  const { requestId, fiatAmount, currencyId, email, clientId: _, ...request } = checked
  return { kind: 'subscription', requestId, fiatAmount, currencyId, email, request, metadata: null }
}
