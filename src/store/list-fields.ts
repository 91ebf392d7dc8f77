/** The fields that lists can be filtered by, as the control API names them. Only a complete `requestId` or `orderId`
 *  uses an index; other filters scan the client's data. */
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
    // `status` is a synonym of `orderStatus`.
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
    // `outcome` is the outcome of the latest attempt.
    'outcome',
  ],
  requests: ['id', 'clientId', 'operation', 'requestId', 'method', 'path', 'status', 'diagnosis.cause'],
} as const

/** A filter of a list beside the usual ones: texts, which may end in `*`. */
export type ListField<Kind extends keyof typeof listFields> = (typeof listFields)[Kind][number]
