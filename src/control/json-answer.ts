import { safeHeaders } from './secured.ts'

/** Answers a value as JSON. */
export const json = (value: unknown, status = 200): Response => jsonText(JSON.stringify(value), status)

/** Answers JSON text. */
export const jsonText = (text: string, status = 200): Response =>
  new Response(text, { status, headers: { 'content-type': 'application/json', ...safeHeaders } })
