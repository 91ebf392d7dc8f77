/** The members that lists can be asked for, by their names in the control API. A list looks through all that its
 *  client has, but where `requestId` or `orderId` is given whole. */
export const listFields = {
  orders: [
    'orderId',
    'requestId',
    'clientId',
    'kind',
    'charge',
    'email',
    'fiatAmount',
    'currencyId',
    'orderStatus',
    // Another word for it.
    'status',
    'paymentStatus',
    'settlementStatus',
    'errorReason.errorCode',
    'scenario.id',
    'scenario.why',
  ],
  deliveries: [
    'id',
    'webhookId',
    'orderId',
    'requestId',
    'clientId',
    'eventType',
    'orderStatus',
    'orderType',
    'status',
    // Of the latest attempt.
    'outcome',
  ],
  requests: ['id', 'clientId', 'operation', 'requestId', 'method', 'path', 'status', 'diagnosis.cause'],
} as const

/** What a list can be asked for beside its usual filters: texts, which may end in `*`. */
export type ListField<Kind extends keyof typeof listFields> = (typeof listFields)[Kind][number]
