/** All errors that the emulator raises on purpose: HTTP status and text. Any other error is a bug. */
const errorTable = {
  client_unknown: {
    status: 404,
    text: 'No client has the clientId "{clientId}". GET /_emulator/clients lists them.',
  },
  client_exists: {
    status: 409,
    text: 'A client already uses the clientId or access token of "{clientId}". Choose another.',
  },
  fixture_exists: {
    status: 409,
    text: 'Clients with these names already exist: {clientIds}. Nothing was loaded. Add ?replace=true to replace them and everything that belongs to them.',
  },
  fixture_unknown: {
    status: 404,
    text: 'There is no built-in fixture "{name}"{hint}. GET /_emulator/fixtures lists them.',
  },
  order_unknown: {
    status: 404,
    text: 'No order has the orderId "{orderId}". GET /_emulator/orders lists them.',
  },
  delivery_unknown: {
    status: 404,
    text: 'No delivery has the id "{id}". GET /_emulator/deliveries lists them.',
  },
  delivery_in_flight: {
    status: 409,
    text: 'An attempt of the delivery {id} is in progress. Wait until it ends.',
  },
  delivery_exists: { status: 409, text: 'A delivery with the id "{id}" already exists.' },
  no_webhook_url: {
    status: 409,
    text: 'The client "{clientId}" has no webhook URL. PATCH /_emulator/clients/{clientId} sets one.',
  },
  no_previous_secret: {
    status: 409,
    text: 'The client "{clientId}" has no previous webhook secret to sign with. POST /_emulator/clients/{clientId}/rotate-webhook-secret rotates the secret, and keeps the present one as the previous one.',
  },
  webhook_paused: {
    status: 409,
    text: 'The webhook URL of "{clientId}" answered 410 or failed too often in a row, so it gets no more webhooks. Set the URL again (it can be the same one), then repeat.',
  },
  fault_unknown: {
    status: 404,
    text: 'There is no planned fault "{id}", or it is gone. GET /_emulator/faults lists them.',
  },
  too_many_faults: {
    status: 409,
    text: 'There are already {most} planned faults {whose}, and all are still active. DELETE /_emulator/faults removes them.',
  },
  request_unknown: {
    status: 404,
    text: 'The request log has no entry "{id}", or it is gone. GET /_emulator/requests lists them.',
  },
  scenario_unknown: { status: 404, text: 'There is no scenario "{id}".{hint}' },
  scenario_not_put: {
    status: 409,
    text: 'The scenario "{id}" was not added through the control API, so it cannot be removed here: it {origin}.',
  },
  binding_unknown: {
    status: 404,
    text: 'There is no plan "{id}", or it is gone. GET /_emulator/scenarios/next lists the plans.',
  },
  scenario_outdated: {
    status: 409,
    text: 'Another version of this program stored the scenario "{id}" of this order (format {format}; this version reads {known}). Use that version, or create the order again.',
  },
  order_exists: { status: 409, text: 'An order with the requestId "{requestId}" already exists.' },
  order_id_taken: { status: 409, text: 'An order with the orderId "{orderId}" already exists.' },
  order_is_final: { status: 409, text: 'The order is {status}, which is a final status.' },
  order_is_paid: { status: 409, text: 'The order is already paid.' },
  not_completed: { status: 409, text: 'The order is {status}; only a COMPLETED order can be refunded.' },
  refund_too_high: {
    status: 409,
    text: '{asked} is more than the {left} of the order that is left to refund.',
  },
  subscription_unknown: { status: 404, text: 'There is no subscription with the requestId "{requestId}".' },
  several_clients: {
    status: 409,
    text: 'Several clients have a subscription with the requestId "{requestId}". Choose one with ?clientId=.',
  },
  not_a_subscription: {
    status: 409,
    text: 'The order with the requestId "{requestId}" is not a subscription.',
  },
  subscription_is_cancelled: {
    status: 409,
    text: 'The subscription "{requestId}" is already cancelled.',
  },
  stale_order: { status: 409, text: 'The order changed during the request. Read it again and repeat.' },
  world_ended: {
    status: 409,
    text: 'The client was reset or replaced during the request. Repeat it.',
  },
  binding_used: { status: 409, text: 'Another order took the planned scenario during the request.' },
  clock_in_past: {
    status: 409,
    text: '{target} is before the clock of "{clientId}", which reads {now}. A clock never goes back.',
  },
  clock_timed_out: {
    status: 504,
    text: 'The clock did not reach the target within {timeoutMs} ms of wall-clock time, and stopped on the way. Advance again, with a longer timeoutMs if a receiver is slow.',
  },
  never_idle: {
    status: 409,
    text: 'Something is still due after {moments} due times. Probably something never ends, like a subscription that is not cancelled. Set a limit, or advance by a duration.',
  },
  bad_cursor: {
    status: 400,
    text: 'The cursor "{cursor}" is not a `next` value of this list, or its item is gone. Start again without a cursor.',
  },
  invalid_input: { status: 400, text: '{problems}' },
  bad_request: { status: 400, text: '{message}' },
  settings_conflict: {
    status: 409,
    text: 'The common settings in the database (set with PATCH /_emulator/settings) are not valid together: {problem}. Start with a --settings file that is compatible with them, or with another database.',
  },
  snapshot_invalid: {
    status: 400,
    text: 'The snapshot cannot be restored, and nothing was changed: {problem}.',
  },
  snapshot_newer: {
    status: 400,
    text: 'The snapshot is from a newer version ({version}, schema {schema}); this version reads schema {known}. Restore it with that version, or take a new snapshot with this one.',
  },
  snapshot_taken: {
    status: 409,
    text: 'The client "{clientId}" in the snapshot has an orderId, a token or another name that belongs to another client here. Nothing was changed. Restore the snapshot on an emulator without that client.',
  },
  not_json: { status: 400, text: 'The body {problem}.' },
  unsupported_media_type: {
    status: 415,
    text: '{header} must be {wanted}; it is {found}.',
  },
  body_cut: { status: 400, text: 'The body ended too early.' },
  too_large: { status: 413, text: 'The body is larger than {limit}.' },
  not_found: { status: 404, text: '{message}' },
  method_not_allowed: { status: 405, text: '{path} takes {allowed}, not {method}.' },
  not_verified: {
    status: 409,
    text: 'The request log has {count} requests{where}, not {wanted}.{nearest}',
  },
  wait_timed_out: { status: 408, text: 'No {kind}{where} within {timeoutMs} ms.{nearest}' },
  limit_reached: { status: 429, text: 'Too many requests: try again in {wait}.' },
  too_many_waits: { status: 429, text: 'There are already {most} waits. Let some of them end first.' },
  too_many_streams: {
    status: 429,
    text: 'There are already {most} event streams. Close some that you no longer read.',
  },
  host_not_allowed: {
    status: 421,
    text: 'The emulator does not accept {host}. {remedy}.',
  },
  cross_site: { status: 403, text: 'A web page from another origin may not use the control API.' },
  control_token: {
    status: 401,
    text: 'The control API requires the header Authorization: Bearer <control token>. Use the token that the emulator printed at its start, or the value of --control-token.',
  },
  bad_credentials: { status: 401, text: 'No client has this combination of clientId and apiSecret.' },
  disk_full: {
    status: 507,
    text: 'The disk with the database is full or no longer writable. Nothing was changed. Free some space and repeat.',
  },
  stopping: { status: 503, text: 'The emulator is shutting down.' },
  internal: { status: 500, text: 'The emulator failed: this is a bug. Its log has the details under {id}.' },
} as const

export type ErrorCode = keyof typeof errorTable

/** The HTTP status of an error, and its text with placeholders. */
export const errorWords = (code: ErrorCode): { readonly status: number; readonly text: string } =>
  errorTable[code]

/** An error from the table of errors; `params` fill the placeholders of its message. */
export class EmulatorError extends Error {
  readonly code: ErrorCode
  readonly status: number
  /** Headers that the answer to the error needs, such as `Allow`. */
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    params: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    const entry = errorTable[code]
    super(entry.text.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? ''))
    this.name = 'EmulatorError'
    this.code = code
    this.status = entry.status
    this.headers = headers
  }
}
