import { checkoutString, sign, subscriptionString } from '../domain/webhook/signature.ts'

/** A call that a probe makes, in the order of its plan. */
export interface ProbeCall {
  /** What it asks the service, in words. */
  readonly asks: string
  readonly method: 'GET' | 'POST'
  /** The path with its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** The credentials of a test environment, and a name that no other probe has used. */
export interface ProbeAccount {
  readonly clientId: string
  readonly apiSecret: string
  readonly accessToken: string
  /** The beginning of all requestIds. */
  readonly run: string
  readonly currencyId: string
}

/** The calls of a probe: orders that nobody pays, lookups, and mistakes. None changes the account: it sets no webhook
 *  URL and asks for no token. At most 40. */
export function probePlan(account: ProbeAccount): ProbeCall[] {
  const { run } = account
  const order = (n: string, more: object = {}) => ({ ...basics(account, `${run}-${n}`), ...more })
  const create = (asks: string, fields: object, form: 'short' | 'with-currency') =>
    createCall(asks, fields, form, account)
  const lookups = (requestId: string) =>
    (['orders', 'crypto-orders', 'fiat-refunds'] as const).map((kind) => lookup(kind, requestId, account))
  return [
    create('a checkout that signs the short text', order('1'), 'short'),
    create('a second one', order('2', { fiatAmount: '25.5' }), 'short'),
    create('a checkout that signs the text with the currency', order('3'), 'with-currency'),
    create('a second one', order('4', { fiatAmount: '7' }), 'with-currency'),
    create('the first requestId again', order('1'), 'short'),
    create('a payment URL', order('5', { mode: 'returnUrl' }), 'short'),
    create('a second payment URL', order('6', { mode: 'returnUrl' }), 'short'),
    create('a payment URL, signed with the currency', order('7', { mode: 'returnUrl' }), 'with-currency'),
    create('a missing e-mail', order('8', { email: undefined }), 'short'),
    create('a missing e-mail, signed with the currency', order('9', { email: undefined }), 'with-currency'),
    create('a missing currency', order('10', { currencyId: undefined }), 'short'),
    create('an amount with a comma', order('11', { fiatAmount: '10,00' }), 'short'),
    create('a name that is too long', order('12', { firstName: 'x'.repeat(51) }), 'short'),
    create('`null` in an optional field', order('13', { userMessage: null }), 'short'),
    create('the same, signed with the currency', order('14', { userMessage: null }), 'with-currency'),
    create('an unknown field', order('15', { unknownField: 'x' }), 'short'),
    subscription('a subscription', order('16', { interval: 'MONTHLY' }), account),
    subscription(
      'a second one, with a trial',
      order('17', { interval: 'MONTHLY', trialPeriodDays: '7' }),
      account,
    ),
    subscription('a weekly subscription', order('18', { interval: 'WEEKLY' }), account),
    subscription('a second weekly subscription', order('19', { interval: 'WEEKLY' }), account),
    ...['1', '3', '5', '16'].flatMap((n) => lookups(`${run}-${n}`)),
    ...lookups(`${run}-unknown`),
    {
      ...lookup('orders', `${run}-1`, account),
      asks: 'a lookup without a requestId',
      path: `/v1/client/orders?clientId=${encodeURIComponent(account.clientId)}`,
    },
    {
      ...lookup('orders', `${run}-1`, account),
      asks: 'a lookup with a wrong token',
      headers: { accept: 'application/json', 'access-token': 'not-a-token' },
    },
  ]
}

const basics = ({ clientId, currencyId }: ProbeAccount, requestId: string) => ({
  ...{ requestId, clientId, currencyId },
  fiatAmount: '10.00',
  email: 'probe@example.com',
})

interface SignedFields {
  readonly requestId?: string
  readonly currencyId?: string | undefined
  readonly fiatAmount?: string
  readonly interval?: string
  readonly trialPeriodDays?: string
}

function signedFields({ requestId = '', currencyId = '', fiatAmount = '', ...more }: SignedFields) {
  return { requestId, currencyId, fiatAmount, ...more }
}

function createCall(
  asks: string,
  fields: SignedFields,
  form: 'short' | 'with-currency',
  account: ProbeAccount,
): ProbeCall {
  const text = checkoutString(signedFields(fields), form)
  return post(asks, '/v1/client/checkout/create-order', fields, text, account)
}

const subscription = (asks: string, fields: SignedFields, account: ProbeAccount): ProbeCall =>
  post(
    asks,
    '/v1/client/subscription/create-order',
    fields,
    subscriptionString(signedFields(fields)),
    account,
  )

function post(
  asks: string,
  path: string,
  fields: object,
  signed: string,
  { accessToken, apiSecret }: ProbeAccount,
): ProbeCall {
  return {
    ...{ asks, path, method: 'POST', body: JSON.stringify(fields) },
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'access-token': accessToken,
      signature: sign(signed, apiSecret),
    },
  }
}

function lookup(kind: string, requestId: string, { clientId, accessToken }: ProbeAccount): ProbeCall {
  const query = new URLSearchParams({ requestId, clientId })
  return {
    asks: `what \`${kind}\` says of ${requestId}`,
    method: 'GET',
    path: `/v1/client/${kind}?${query}`,
    headers: { accept: 'application/json', 'access-token': accessToken },
    body: null,
  }
}
