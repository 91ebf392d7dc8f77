import type { Context } from 'hono'
import { errorBodyOf } from '../domain/answers/error-body.ts'
import type { EpochMs } from '../domain/text/time.ts'
import { urlParts } from '../http/request.ts'
import { wallNow } from '../time/wall.ts'
import type { ServiceParts } from './call.ts'
import { errorAsText, type RequestInfo, reasonOf, type ServiceError } from './response.ts'

/** Writes the body of an error of one request, as JSON text. */
export type ErrorFormat = (error: ServiceError, c: Context, info: RequestInfo, parts: ServiceParts) => string

/** Writes an error like the service: by the user's template (N80), else as `{"error": <string>}` (N33). */
export const serviceErrorBody: ErrorFormat = (error, c, info, parts) => {
  const { clients } = parts
  if (isPrinted(error)) return errorAsText(error)
  const clientId = info.client?.clientId ?? clients.holderOf(c.req.header('access-token') ?? '')
  const settings = clientId === undefined ? clients.commonSettings : clients.settingsOf(clientId)
  const ofValidation = error.problems === undefined ? null : settings['errors.validationTemplate']
  const template = ofValidation ?? settings['errors.template']
  if (template === null) return errorAsText(error)
  const { status, message, problems } = error
  return errorBodyOf(template, {
    ...{ status, message, problems, reason: reasonOf(status), code: settings['errors.codes'][status] },
    ...{ requestId: info.requestId, errorId: info.id, method: c.req.method },
    path: urlParts(c.req.url).path.replace(/\?.*$/s, ''),
    at: errorTime(clientId, parts),
    offset: settings['time.offset'],
  })
}

/** The time of an error: on the client's clock, or on the wall clock if the client is unknown or was removed. */
export const errorTime = (clientId: string | undefined, { clients, scheduler }: ServiceParts): EpochMs =>
  clientId === undefined || clients.find(clientId) === undefined ? wallNow() : scheduler.now(clientId)

/** Whether the API specification shows the body: a failed verification (R115), but not a validation error with the
 *  same status. */
const isPrinted = ({ status, problems }: ServiceError): boolean => status === 401 && problems === undefined
