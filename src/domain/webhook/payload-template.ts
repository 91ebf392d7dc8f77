import * as z from 'zod'
import { didYouMean } from '../text/issue-words.ts'
import { inexact, isExact, nestsDeeper } from '../text/json-text.ts'

/** The names of values that a webhook template can use. */
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

/** The values of the placeholders for one event; missing ones are left out. */
export type TemplateValues = {
  readonly [Name in (typeof placeholders)[number]]?: string | number | undefined
}

/** Matches a placeholder of a template. */
const placeholder = /\$\{([^}]*)\}/g

/** Fills a template for one event. A text that is one placeholder becomes its value, which may be a number. A field
 *  without a value is left out, but in a list or as the whole body it is `null`. Within a longer text a missing
 *  value is empty. */
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

const maxCharacters = 16 * 1024
const maxDepth = 64

/** Schema of a user's webhook body: JSON, or its text, with `${placeholders}` in its texts and names. */
export const payloadTemplate = z
  .union([z.string().transform(parsed), z.record(z.string(), z.unknown()), z.array(z.unknown())])
  .superRefine((template, context) => {
    const text = JSON.stringify(template)
    const tooBig = text.length > maxCharacters || nestsDeeper(text, maxDepth)
    if (!isExact(template)) context.addIssue({ code: 'custom', message: inexact })
    const problems = tooBig
      ? [`is larger than ${maxCharacters} characters or deeper than ${maxDepth} levels`]
      : unknownIn(text)
    for (const message of problems) context.addIssue({ code: 'custom', message })
  })

function unknownIn(text: string): string[] {
  const names = [...text.matchAll(placeholder)].map(([, name = '']) => name)
  const known: readonly string[] = placeholders
  return [...new Set(names)]
    .filter((name) => !known.includes(name))
    .map(
      (name) =>
        `has no value for \${${name}}${didYouMean(name, known) || `; known names are ${known.join(', ')}`}`,
    )
}

function parsed(text: string, context: z.RefinementCtx<string>): unknown {
  if (nestsDeeper(text, maxDepth)) {
    context.addIssue({ code: 'custom', message: `is deeper than ${maxDepth} levels` })
    return z.NEVER
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof SyntaxError ? ` (${error.message})` : ''
    context.addIssue({ code: 'custom', message: `is not JSON${reason}` })
    return z.NEVER
  }
}
