import type { Context } from 'hono'
import { errorBodyOf } from '../domain/answers/error-body.ts'
import type { Settings } from '../domain/choices/settings.ts'
import type { EpochMs } from '../domain/text/time.ts'
import { urlParts } from '../http/request.ts'
import { wallNow } from '../time/wall.ts'
import type { ServiceParts } from './call.ts'
import { errorAsText, type RequestInfo, reasonOf, type ServiceError } from './response.ts'

/** Writes the body of an error of one request, as JSON text. */
export type ErrorFormat = (error: ServiceError, c: Context, info: RequestInfo, parts: ServiceParts) => string

/** Writes an error of a request like the service, with the settings of its client or else those of all clients. */
export const serviceErrorBody: ErrorFormat = (error, c, { id, client, requestId }, parts) => {
  const { clients } = parts
  const clientId = client?.clientId ?? clients.holderOf(c.req.header('access-token') ?? '')
  const settings = clientId === undefined ? clients.commonSettings : clients.settingsOf(clientId)
  const { path } = urlParts(c.req.url)
  return errorText(error, settings, {
    ...{ id, requestId, method: c.req.method, path },
    at: errorTime(clientId, parts),
  })
}

/** The request of an error, as a template may show it. */
interface ErrorRequest {
  /** The id of its entry in the request log. */
  readonly id: string
  readonly requestId: string | null
  readonly method: string
  /** Its path, with the query. */
  readonly path: string
  readonly at: EpochMs
}

/** Writes an error like the service: by the user's template (N80), else as `{"error": <string>}` (N33). */
export function errorText(
  error: ServiceError,
  settings: Settings,
  { id, path, ...request }: ErrorRequest,
): string {
  const { status, problems } = error
  const ofValidation = problems === undefined ? null : settings['errors.validationTemplate']
  const template = ofValidation ?? settings['errors.template']
  if (template === null || isPrinted(error)) return errorAsText(error)
  const code = settings['errors.codes'][status]
  const message = settings['errors.messages'][status] ?? error.message
  const words = { rules: settings['errors.rules'], reasons: settings['errors.reasons'] }
  const values = { status, message, problems, words, code, reason: reasonOf(status), errorId: id }
  const offset = settings['time.offset']
  return errorBodyOf(template, { ...request, ...values, offset, path: path.replace(/\?.*$/s, '') })
}

/** The time of an error: on the client's clock, or on the wall clock if the client is unknown or was removed. */
export const errorTime = (clientId: string | undefined, { clients, scheduler }: ServiceParts): EpochMs =>
  clientId === undefined || clients.find(clientId) === undefined ? wallNow() : scheduler.now(clientId)

/** Whether the API specification shows the body: a failed verification (R115), but not a validation error with the
 *  same status. */
const isPrinted = ({ status, problems }: ServiceError): boolean => status === 401 && problems === undefined
