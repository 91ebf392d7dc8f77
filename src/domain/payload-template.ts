/** What a template can name. */
export const placeholders = [
  'requestId',
  'clientId',
  'orderId',
  'orderStatus',
  'orderType',
  'eventType',
  'errorCode',
  'errorMessage',
  'webhookId',
  'eventTime',
  'eventTimestamp',
] as const

/** The values for one event. What an event does not have is left out. */
export type TemplateValues = {
  readonly [Name in (typeof placeholders)[number]]?: string | number | undefined
}

/** Where one stands, with its name. */
export const placeholder = /\$\{([^}]*)\}/g

/** The body for one event. A text that is one placeholder and nothing else becomes its value, a number too, and a
 *  member without a value is left out (in a list, or in place of all, it is `null`); within a longer text a missing
 *  value is nothing. */
export function fillTemplate(template: unknown, values: TemplateValues): string {
  const body = filled(template, new Map<string, string | number | undefined>(Object.entries(values)))
  return JSON.stringify(body ?? null)
}

function filled(part: unknown, values: ReadonlyMap<string, string | number | undefined>): unknown {
  if (typeof part === 'string') return filledText(part, values)
  if (Array.isArray(part)) return part.map((each) => filled(each, values))
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(
    Object.entries(part).map(([name, each]) => [inserted(name, values), filled(each, values)]),
  )
}

function filledText(text: string, values: ReadonlyMap<string, string | number | undefined>): unknown {
  const whole = /^\$\{(\w+)\}$/.exec(text)?.[1]
  if (whole !== undefined) return values.get(whole)
  return inserted(text, values)
}

function inserted(text: string, values: ReadonlyMap<string, string | number | undefined>): string {
  return text.replaceAll(placeholder, (_, name: string) => String(values.get(name) ?? ''))
}
