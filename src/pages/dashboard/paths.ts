/** The page of one thing, below `/_emulator`. An id may hold what an address means otherwise: `a/b?c#d`. */
const pageOf =
  (list: string) =>
  (id: string): string =>
    `/ui/${list}/${encodeURIComponent(id)}`

/** The page of an order. */
export const orderPath = pageOf('orders')
/** The page of a webhook. */
export const deliveryPath = pageOf('deliveries')
/** The page of a request. */
export const requestPath = pageOf('requests')
/** The page of a scenario. */
export const scenarioPath = pageOf('scenarios')
/** The page of a client. */
export const clientPath = pageOf('clients')
