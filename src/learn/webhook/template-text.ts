import { payloadTemplate } from '../../domain/webhook/payload-template.ts'

/** A template as a settings file writes it: JSON, or the text of JSON; undefined for none and for anything else. */
export function readTemplateText(value: unknown): unknown {
  if (value === null || value === undefined) return undefined
  const parsed = payloadTemplate.safeParse(value)
  return parsed.success ? parsed.data : undefined
}
