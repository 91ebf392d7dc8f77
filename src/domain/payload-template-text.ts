import { z } from 'zod'
import { inexact, isExact } from './any-json.ts'
import { nestsDeeper } from './json-text.ts'
import { didYouMean } from './nearest.ts'
import { placeholder, placeholders } from './payload-template.ts'

const maxCharacters = 16 * 1024
const maxDepth = 64

/** A webhook body of the user's own: JSON, or its text, with `${placeholders}` in its texts and names. */
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
      (name) => `has no value for \${${name}}${didYouMean(name, known) || `; it knows ${known.join(', ')}`}`,
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
