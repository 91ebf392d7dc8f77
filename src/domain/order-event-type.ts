/** What every order event is called (N39). */
export const orderEventType = 'service-sdk-transaction-status'
