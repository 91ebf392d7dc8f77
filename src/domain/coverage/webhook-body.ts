/** What the text of a webhook says. */
export interface WebhookBody {
  /** All of it. */
  readonly fields: JsonObject
  /** A field at the top, or in the envelope's `data`. */
  readonly text: (name: string) => string | undefined
}

type JsonObject = Readonly<Record<string, unknown>>

/** Reads the text of a webhook; null where it is no JSON object. */
export function readWebhook(body: string): WebhookBody | null {
  const fields = objectIn(body)
  if (fields === null) return null
  const data = objectOf(fields.data)
  return { fields, text: (name) => textIn(fields, name) ?? textIn(data, name) }
}

/** Whether it is a token (`webhook.format: jwt`), which shows nothing of what it says. */
export const isToken = (body: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(body)

function objectIn(body: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

const objectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null ? { ...value } : {}

function textIn(object: JsonObject, name: string): string | undefined {
  const value = object[name]
  return typeof value === 'string' ? value : undefined
}
