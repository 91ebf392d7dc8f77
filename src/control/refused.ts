import { EmulatorError } from '../domain/errors.ts'
import type { ControlParts } from './parts.ts'
import { safeHeaders } from './secured.ts'

/** Errors of the table as `{"error":{"code","message"}}`; anything else is a bug, told without its innards. */
export function refused(
  error: Error,
  { onError, journal }: Pick<ControlParts, 'onError' | 'journal'>,
): Response {
  const known = error instanceof EmulatorError
  const id = known ? '' : journal.nextId()
  if (!known) onError(error, id)
  const { code, message, status, headers } = known ? error : new EmulatorError('internal', { id })
  const body = JSON.stringify({ error: { code, message } })
  return new Response(body, {
    status,
    headers: { 'content-type': 'application/json', ...safeHeaders, ...headers },
  })
}
