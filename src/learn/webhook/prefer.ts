/** A placeholder that fits in all events. */
export interface Possible {
  readonly name: string
  /** With its formats: `fiatAmount:minor`. */
  readonly inner: string
  /** The number of different values that it explains. */
  readonly proofs: number
}

/** What is left of several placeholders. */
export interface Choice {
  readonly state: 'decided' | 'likely' | 'open'
  /** The best first. */
  readonly left: readonly Possible[]
  /** Whether the value may also be the same always. */
  readonly mayBeConstant: boolean
}

/** Names of fields that mean a placeholder, apart from its own name. */
const stems: Readonly<Record<string, RegExp>> = {
  requestId: /request|reference|cart/,
  clientId: /client|merchant|account|aud/,
  orderId: /order|number|payment\.?id/,
  orderStatus: /status|state|code|result|outcome/,
  statusOfOrder: /status|state|code|result|outcome/,
  refundStatus: /refund/,
  orderType: /type|kind|object/,
  eventType: /type|event|topic|name|notice|action|kind/,
  errorCode: /error|code|reason|fail/,
  errorMessage: /error|message|text|desc|reason|fail/,
  webhookId: /webhook|message|event|^id$|\.id$/,
  deliveryId: /deliver/,
  sequence: /seq|number|index|^n$/,
  eventTime: /at$|time|date|created|occur|sent|^ts$|stamp/,
  eventTimestamp: /eventtimestamp/,
  createdTime: /creat|open/,
  updatedTime: /updat|modif|chang/,
  expiryTime: /expir|valid|until/,
  payableUntil: /pay|until/,
  paidTime: /paid|captur|settl/,
  refundId: /refund/,
  refundAmount: /refund/,
  fiatAmount: /amount|value|total|price|fiat/,
  cryptoAmount: /crypto/,
  receivedAmount: /receiv/,
  currencyId: /curr|ccy/,
  cryptoCurId: /crypto|asset|coin/,
  txnHash: /txn|hash|tx/,
  paymentStatus: /payment/,
  settlementStatus: /settlement/,
  email: /mail/,
  userId: /user|customer|buyer|payer/,
  firstName: /first|given/,
  lastName: /last|family|sur/,
  phoneNumber: /phone|mobile/,
  userMessage: /message|item|asset/,
  requestDescription: /desc|purpose/,
  paymentMethodId: /method/,
  selectedPaymentMethod: /selected|method/,
  interval: /interval|period|recur/,
  charge: /charge|cycle|instal/,
  attempt: /attempt|try|tries|retry/,
  metadata: /meta/,
  billingData: /bill/,
  jwt: /token|jwt|proof|auth/,
}

/** Whether a place has a name that means a placeholder. */
export function resembles(name: string, place: string): boolean {
  return place.replaceAll('.', '').endsWith(name.toLowerCase()) || (stems[name]?.test(place) ?? false)
}

/** Placeholders with the same value in all that the emulator does, the usual one first. */
const alike: readonly (readonly string[])[] = [
  ['eventTime', 'updatedTime', 'eventTimestamp'],
  ['orderStatus', 'statusOfOrder', 'refundStatus'],
]

/** Placeholders that differ in rare cases only. The first is meant unless the name of the field says otherwise. */
const similar: readonly (readonly string[])[] = [
  ['fiatAmount', 'receivedAmount', 'cryptoAmount'],
  ['eventTime', 'paidTime'],
  ['requestId', 'webhookId'],
  ['orderId', 'webhookId'],
  ['webhookId', 'deliveryId'],
]

/** Values that are small numbers: a fixed number is one of them by chance. */
const counters: ReadonlySet<string> = new Set(['sequence', 'attempt', 'charge'])

/** Names of values that are so special that they are never equal by chance. */
const longText = 8

/** Chooses between placeholders that fit everywhere.
 *  @param context `leaf`: a value of the field; `isConstant`: whether it is always the same */
export function chosen(
  possible: readonly Possible[],
  {
    place,
    leaf,
    isConstant,
  }: { readonly place: string; readonly leaf: unknown; readonly isConstant: boolean },
): Choice {
  // A webhook without the status of its order would say nothing.
  const isOfPayment = /payment|settlement/.test(place)
  const hasStatus = possible.some(({ name }) => name === 'orderStatus' || name === 'refundStatus')
  const likely = possible.filter(({ name }) => isOfPayment || !hasStatus || name !== 'paymentStatus')
  const single = fewestFormats(likely)
  const unlike = alike.reduce<readonly Possible[]>((left, group) => without(left, group, place, true), single)
  const before = unlike.length
  const rest = similar.reduce<readonly Possible[]>(
    (left, group) => without(left, group, place, false),
    unlike,
  )
  const named = rest.filter(({ name }) => resembles(name, place))
  const own = rest.filter(({ name }) => place.replaceAll('.', '').endsWith(name.toLowerCase()))
  const left = own.length === 1 ? own : named.length === 1 ? named : rest
  const [best] = left
  const isNamed = best !== undefined && resembles(best.name, place)
  const isSoft = (rest.length < before && !isNamed) || left.length < rest.length
  if (left.length !== 1 || best === undefined) return { state: 'open', left, mayBeConstant: isConstant }
  if (!isConstant) return { state: isSoft ? 'likely' : 'decided', left, mayBeConstant: false }
  if (counters.has(best.name))
    return resembles(best.name, place)
      ? { state: 'open', left, mayBeConstant: true }
      : { state: 'decided', left: [], mayBeConstant: true }
  const isSpecial = (typeof leaf === 'string' && leaf.length >= longText) || resembles(best.name, place)
  if (isSpecial) return { state: isSoft ? 'likely' : 'decided', left, mayBeConstant: false }
  return { state: 'open', left, mayBeConstant: true }
}

/** Of one name with several formats, that with the fewest. */
function fewestFormats(possible: readonly Possible[]): Possible[] {
  const groups = [...Map.groupBy(possible, ({ name }) => name).values()]
  return groups.flatMap((group) => {
    const [best] = group.toSorted((a, b) => a.inner.split(':').length - b.inner.split(':').length)
    return best === undefined ? [] : [best]
  })
}

/** Leaves one of a group: that whose name the field has, else the first. */
function without(
  possible: readonly Possible[],
  group: readonly string[],
  place: string,
  isSame: boolean,
): readonly Possible[] {
  const inGroup = group.flatMap((name) => possible.filter((each) => each.name === name))
  if (inGroup.length < 2) return possible
  const own = inGroup
    .slice(1)
    .find(({ name }) =>
      isSame
        ? place.replaceAll('.', '').endsWith(name.toLowerCase())
        : resembles(name, place) && !resembles(inGroup[0]?.name ?? '', place),
    )
  const keep = own ?? inGroup[0]
  return possible.filter((each) => each === keep || !inGroup.includes(each))
}
