/** Every error the emulator raises on purpose: its HTTP status and its words. What is not here is a bug. */
const errorTable = {
  client_unknown: {
    status: 404,
    text: 'No client has the clientId "{clientId}". GET /_emulator/clients lists them.',
  },
  client_exists: {
    status: 409,
    text: 'The clientId or access token of "{clientId}" is taken already. Choose another.',
  },
  fixture_exists: {
    status: 409,
    text: 'There are clients with these names already: {clientIds}. Nothing was loaded. With ?replace=true they and all that belongs to them give way to the fixture.',
  },
  fixture_unknown: {
    status: 404,
    text: 'No fixture with the name "{name}" ships{hint}. GET /_emulator/fixtures lists them.',
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
    text: 'The delivery {id} is in flight at this moment. Wait for the end of its attempt.',
  },
  delivery_exists: { status: 409, text: 'A delivery with the id "{id}" exists already.' },
  no_webhook_url: {
    status: 409,
    text: 'The client "{clientId}" has no webhook URL. PATCH /_emulator/clients/{clientId} sets one.',
  },
  webhook_paused: {
    status: 409,
    text: 'The webhook URL of "{clientId}" answered 410 and gets nothing more. Set it again (the same one will do), then repeat.',
  },
  fault_unknown: {
    status: 404,
    text: 'No planned fault has the id "{id}" (any more). GET /_emulator/faults lists them.',
  },
  too_many_faults: {
    status: 409,
    text: 'There are {most} planned faults {whose} already, and none of them is over. DELETE /_emulator/faults removes them.',
  },
  request_unknown: {
    status: 404,
    text: 'The journal has no entry "{id}" (any more). GET /_emulator/requests lists them.',
  },
  scenario_unknown: { status: 404, text: 'There is no scenario "{id}".{hint}' },
  scenario_not_put: {
    status: 409,
    text: 'The scenario "{id}" did not come over the control API, so it cannot be taken back here: it {origin}.',
  },
  binding_unknown: {
    status: 404,
    text: 'Nothing is planned under the id "{id}" (any more). GET /_emulator/scenarios/next lists what is.',
  },
  scenario_outdated: {
    status: 409,
    text: 'The order follows the scenario "{id}" as another version of this program compiled it (format {format}; this one reads {known}). Go on with that version, or make the order anew.',
  },
  order_exists: { status: 409, text: 'An order with the requestId "{requestId}" exists already.' },
  order_id_taken: { status: 409, text: 'An order with the orderId "{orderId}" exists already.' },
  order_is_final: { status: 409, text: 'The order is {status}, and nothing leaves that state by itself.' },
  order_is_paid: { status: 409, text: 'The order has been paid already.' },
  not_completed: { status: 409, text: 'The order is {status}; only a COMPLETED one can be refunded.' },
  refund_too_high: { status: 409, text: '{left} of the order is left to refund; {asked} is more.' },
  subscription_unknown: { status: 404, text: 'There is no subscription under the requestId "{requestId}".' },
  several_clients: {
    status: 409,
    text: 'Several clients have a subscription under the requestId "{requestId}"; say which with ?clientId=.',
  },
  not_a_subscription: {
    status: 409,
    text: 'The order under the requestId "{requestId}" is no subscription.',
  },
  subscription_is_cancelled: {
    status: 409,
    text: 'The subscription "{requestId}" has been cancelled already.',
  },
  stale_order: { status: 409, text: 'The order has changed meanwhile. Read it again and repeat.' },
  world_ended: {
    status: 409,
    text: 'The world of the client has been emptied or replaced meanwhile. Repeat it.',
  },
  binding_used: { status: 409, text: 'The planned scenario has been used up meanwhile.' },
  clock_in_past: {
    status: 409,
    text: '{target} is before the clock of "{clientId}", which reads {now}. A clock never goes back.',
  },
  clock_timed_out: {
    status: 504,
    text: 'The clock did not get there within {timeoutMs} ms of wall time and stays where it got to. Advance again, with a longer timeoutMs if a receiver is slow.',
  },
  never_idle: {
    status: 409,
    text: 'After {moments} due moments there is still something due. Something goes on for ever, like a subscription that nobody cancels; name a limit, or advance by a time.',
  },
  bad_cursor: {
    status: 400,
    text: 'The cursor "{cursor}" is not one that a page of this list gave as `next`, or what it stood for is gone. Begin again without it.',
  },
  invalid_input: { status: 400, text: '{problems}' },
  bad_request: { status: 400, text: '{message}' },
  settings_conflict: {
    status: 409,
    text: 'The common settings that the database keeps (set with PATCH /_emulator/settings) cannot hold: {problem}. Start with a --settings file that goes with them, or with another database.',
  },
  snapshot_invalid: {
    status: 400,
    text: 'The snapshot cannot be restored, and nothing was changed: {problem}.',
  },
  snapshot_newer: {
    status: 400,
    text: 'The snapshot was taken by a newer program ({version}, schema {schema}); this one knows schemas up to {known}. Restore it there, or take it anew here.',
  },
  snapshot_taken: {
    status: 409,
    text: 'The client "{clientId}" of the snapshot has an orderId, a token or another name that belongs to another client here. Nothing was changed. Restore it where that client is not.',
  },
  not_json: { status: 400, text: 'The body {problem}.' },
  unsupported_media_type: {
    status: 415,
    text: '{header} must be {wanted}; it is {found}.',
  },
  body_cut: { status: 400, text: 'The body broke off before its end.' },
  too_large: { status: 413, text: 'The body is larger than {limit}.' },
  not_found: { status: 404, text: '{message}' },
  method_not_allowed: { status: 405, text: '{path} takes {allowed}, not {method}.' },
  not_verified: {
    status: 409,
    text: 'The journal has {count} requests{where}, not {wanted}.{nearest}',
  },
  wait_timed_out: { status: 408, text: 'No {kind}{where} within {timeoutMs} ms.{nearest}' },
  too_many_waits: { status: 429, text: 'There are {most} waits already. Let some of them end first.' },
  too_many_streams: {
    status: 429,
    text: 'There are {most} streams of events already. Close some that nobody reads.',
  },
  host_not_allowed: {
    status: 421,
    text: 'The emulator does not answer for {host}. {remedy}.',
  },
  cross_site: { status: 403, text: 'A web page of another origin may not use the control API.' },
  control_token: {
    status: 401,
    text: 'The control API needs the header Authorization: Bearer <control token>. The emulator printed it at its start, or got it as --control-token.',
  },
  bad_credentials: { status: 401, text: 'No client has this clientId and apiSecret.' },
  disk_full: {
    status: 507,
    text: 'The disk that holds the database is full, or may not be written any more: nothing was changed. Free some space and repeat.',
  },
  stopping: { status: 503, text: 'The emulator is stopping.' },
  internal: { status: 500, text: 'The emulator has a bug. Its log has the details under {id}.' },
} as const

export type ErrorCode = keyof typeof errorTable

/** An error's status, and its text with the names of what fills it. */
export const errorWords = (code: ErrorCode): { readonly status: number; readonly text: string } =>
  errorTable[code]

/** An error with a place in the table; `params` fill its text. */
export class EmulatorError extends Error {
  readonly code: ErrorCode
  readonly status: number
  /** Headers the answer needs, e.g. `Allow`. */
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
