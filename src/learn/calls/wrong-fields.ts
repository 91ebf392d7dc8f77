import type { FieldProblem } from '../../domain/answers/error-body.ts'
import type { Call } from '../evidence/evidence.ts'
import { textsIn } from '../evidence/parsed-json.ts'
import { fieldsOf } from '../evidence/read-call.ts'

/** A field of a request that breaks a printed rule, whatever the settings are. */
export type WrongField = Pick<FieldProblem, 'field' | 'rule'>

interface Known {
  readonly name: string
  readonly isRequired?: true
  /** The form of a text; left out if any text is valid. */
  readonly form?: RegExp
  readonly longest?: number
  readonly type?: 'text' | 'object' | 'word'
}

const orderFields: readonly Known[] = [
  { name: 'currencyId', isRequired: true },
  { name: 'fiatAmount', isRequired: true, form: /^(?=.*[1-9])\d+(\.\d{1,2})?$/ },
  { name: 'email', isRequired: true, form: /^[^@\s]+@[^@\s]+$/ },
  { name: 'requestId', isRequired: true },
  { name: 'clientId', isRequired: true },
]
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const mode: Known = { name: 'mode', type: 'word', form: /^(returnUrl|returnAppUrl)$/ }
const userId: Known = { name: 'userId', form: uuid }
const plain = (...names: string[]): Known[] => names.map((name) => ({ name }))

/** The fields of a checkout, in the order of the API specification. */
const checkoutFields: readonly Known[] = [
  ...orderFields,
  { name: 'paymentMethodId' },
  userId,
  { name: 'userMessage' },
  { name: 'firstName', longest: 50 },
  { name: 'lastName', longest: 50 },
  { name: 'phoneNumber', form: /^\+[1-9]\d{1,14}$/ },
  mode,
  { name: 'targetApp' },
  { name: 'deviceContext', type: 'object' },
  ...plain('pixKey', 'intlBankAccount', 'bankAccount', 'docType', 'docId', 'callbackUrl'),
  { name: 'lang', form: /^[a-z]{2}$/ },
  { name: 'requestDescription' },
  { name: 'billingData', type: 'object' },
  { name: 'metadata', type: 'object' },
]

const subscriptionFields: readonly Known[] = [
  ...orderFields,
  { name: 'interval', isRequired: true },
  { name: 'trialPeriodDays', form: /^\d{1,3}$/ },
  { name: 'paymentMethodId' },
  userId,
  { name: 'requestDescription' },
  mode,
  { name: 'targetApp' },
]

const lookupFields: readonly Known[] = [
  { name: 'requestId', isRequired: true },
  { name: 'clientId', isRequired: true },
]

const fieldsFor: Readonly<Record<Call['operation'], readonly Known[]>> = {
  'create-checkout-order': checkoutFields,
  'create-subscription-order': subscriptionFields,
  orders: lookupFields,
  'crypto-orders': lookupFields,
  'fiat-refunds': lookupFields,
  'simulate-webhook': [
    ...lookupFields,
    ...['orderId', 'orderStatus', 'orderType', 'eventType'].map(
      (name): Known => ({ name, isRequired: true }),
    ),
    { name: 'errorCode' },
  ],
  'webhook-url': [{ name: 'webhookUrl', isRequired: true, form: /^https?:\/\/./ }],
  'access-token': [],
}

/** The names of the fields that requests of an operation can have. */
const fieldNames = (operation: Call['operation']): readonly string[] =>
  fieldsFor[operation].map(({ name }) => name)

/** The optional fields of an operation, which may be absent. */
export const optionalFields = (operation: Call['operation']): readonly string[] =>
  fieldsFor[operation].flatMap(({ name, isRequired }) => (isRequired === true ? [] : name))

/** The fields of a request, in its body or its query. */
export function requestFields({
  method,
  query,
  input,
}: Pick<Call, 'method' | 'query' | 'input'>): Readonly<Record<string, unknown>> {
  return method === 'GET' ? Object.fromEntries(query) : fieldsOf(input)
}

/** Finds the fields of a request that break a printed rule, in the order of the API specification. A null in an
 *  optional field is none: a setting decides about it (N31). */
export function wrongFields(call: Call): WrongField[] {
  // Without a body in the capture nothing can be said.
  if (call.method === 'POST' && call.input === undefined) return []
  const fields = requestFields(call)
  return fieldsFor[call.operation].flatMap((known) => problemOf(known, fields[known.name]))
}

function problemOf({ name, isRequired, form, longest, type = 'text' }: Known, value: unknown): WrongField[] {
  const broken = (rule: WrongField['rule']) => [{ field: name, rule }]
  if (value === undefined) return isRequired ? broken('required') : []
  if (value === null) return isRequired ? broken('type') : []
  if (type === 'object' && typeof value === 'object' && !Array.isArray(value)) return []
  if (type === 'object') return broken(name === 'metadata' ? 'format' : 'type')
  if (typeof value !== 'string') return broken('type')
  if (value === '') return isRequired ? broken(form === undefined ? 'length' : 'format') : []
  if (longest !== undefined && [...value].length > longest) return broken('length')
  if (form !== undefined && !form.test(value)) return broken(type === 'word' ? 'type' : 'format')
  return []
}

/** Whether the body of an error names a field: by itself, as a pointer, in front of a colon, or anywhere if the name
 *  is no ordinary word. */
function namesField(output: unknown, field: string): boolean {
  const name = field.replaceAll('.', '\\.')
  const inText = new RegExp(
    `^/?${name}$|(^|; )${name}: ${/[A-Z]/.test(field) ? `|(^|[^\\w.])${name}($|[^\\w.])` : ''}`,
  )
  return textsIn(output).some((text) => inText.test(text))
}

/** The known fields of a call that an error names. */
export const fieldsNamed = ({ operation, output }: Call): string[] =>
  fieldNames(operation).filter((name) => namesField(output, name))
