/** What a webhook tells. */
export interface Told {
  readonly clientId: string | undefined
  readonly orderId: string | undefined
  readonly orderStatus: string | undefined
  readonly orderType: string | undefined
  readonly eventType: string | undefined
  readonly errorCode: string | undefined
  readonly requestId: string | undefined
}

/** What a payload tells, as far as it is one that we know. */
export function toldIn(body: string): Told {
  const token = tokenIn(body)
  const event = asObject(parsed(token === undefined ? body : claimsOf(token)))
  // In an envelope they stand one level down.
  const data = event.has('data') ? asObject(event.get('data')) : event
  return {
    clientId: textIn(event, 'clientId'),
    orderId: textIn(data, 'orderId'),
    orderStatus: textIn(data, 'orderStatus'),
    orderType: textIn(data, 'orderType'),
    eventType: textIn(event, 'eventType') ?? textIn(event, 'type'),
    errorCode: textIn(event, 'errorCode') ?? textIn(asObject(event.get('error')), 'code'),
    requestId: textIn(event, 'requestId'),
  }
}

/** The token that is all of a body in the format `jwt`; undefined if the body is another. */
export function tokenIn(body: string): string | undefined {
  const outer = asObject(parsed(body))
  return outer.size === 1 ? textIn(outer, 'payload') : undefined
}

/** The middle part of a JWT; whether it is genuine is not looked at. */
const claimsOf = (token: string): string =>
  Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')

function textIn(event: ReadonlyMap<string, unknown>, name: string): string | undefined {
  const value = event.get(name)
  return typeof value === 'string' ? value : undefined
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

const asObject = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map(typeof value === 'object' && value !== null ? Object.entries(value) : [])
