import * as z from 'zod'
import { readSettings } from '../choices/read-settings.ts'
import type { SettingsOverlay } from '../choices/settings.ts'
import { lastMoment } from './time.ts'

// The schemas of single values in a snapshot.

export const text = z.string()

/** An id in a snapshot. Half of a surrogate pair is rejected, because storing would change it. */
export const id = text.refine((value) => value.isWellFormed(), 'contains half of a surrogate pair')

/** A time in epoch milliseconds. */
export const at = z.int().min(-lastMoment).max(lastMoment)

/** A duration in milliseconds, positive or negative. */
export const offset = z.number().min(-lastMoment).max(lastMoment)

export const duration = z.number().min(0).max(lastMoment)

export const count = z.int().min(0)

export const amount = text.regex(/^\d+(\.\d+)?$/, 'must be an amount, like "10.50"')

export const texts = z.record(text, text)

/** Returns the schema of settings by dotted name, for all clients or one. */
export const settings = (scope: 'common' | 'client' | 'order') =>
  z
    .custom<SettingsOverlay>()
    // Described by hand, because OpenAPI generators cannot describe a custom schema.
    .meta({ type: 'object', additionalProperties: {}, description: 'Settings by dotted name.' })
    .superRefine((value, context) => {
      const reading = readSettings(value, { scope, nulls: 'remove' })
      if (reading.ok) return
      for (const { path, message } of reading.problems)
        context.addIssue({ code: 'custom', path: [...path], message })
    })

type NullName<Shape extends z.ZodRawShape> = {
  [Name in keyof Shape]: Shape[Name] extends z.ZodNullable ? Name : never
}[keyof Shape]

type LeftOut<Shape extends z.ZodRawShape, Left> = {
  [Name in keyof Shape]: Name extends Left ? z.ZodExactOptional<Shape[Name]> : Shape[Name]
}

/** The schema of an object in which some fields may be left out. */
export function leavingOut<Shape extends z.ZodRawShape, Left extends keyof Shape>(
  schema: z.ZodObject<Shape>,
  left: Readonly<Record<Left, unknown>>,
): z.ZodObject<LeftOut<Shape, Left>, z.core.$strict>
export function leavingOut({ shape }: z.ZodObject, left: object): z.ZodObject {
  const fields = Object.entries(shape).map(
    ([name, field]) => [name, name in left ? z.exactOptional(field) : field] as const,
  )
  return z.strictObject(Object.fromEntries(fields))
}

/** Returns an object with null for each nullable field of a schema. */
export function nullsOf<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
): Readonly<Record<NullName<Shape>, null>>
export function nullsOf({ shape }: z.ZodObject): object {
  const names = Object.keys(shape).filter((name) => shape[name] instanceof z.ZodNullable)
  return Object.fromEntries(names.map((name) => [name, null]))
}
